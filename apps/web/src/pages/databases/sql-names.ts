import type { Database, Table } from '../../api/databases.ts'
import { defaultSchemaOf } from '../../editor/default-schemas.ts'
import { quoteTable } from '../../editor/identifiers.ts'

type Asked = Pick<Database, 'engine' | 'settings'>

const anyDuckdb: Asked = { engine: 'duckdb', settings: { file: '' } }

/** A table as it is written in a query. */
export const sqlName = (table: Pick<Table, 'schema' | 'name'>, database: Asked = anyDuckdb) =>
  quoteTable(table, { dialect: database.engine, defaultSchema: defaultSchemaOf(database) })

/** The query that somebody begins with. */
export const firstQuery = (table: Pick<Table, 'schema' | 'name'>, database: Asked = anyDuckdb) =>
  `select *\nfrom ${sqlName(table, database)}\nlimit 100`
