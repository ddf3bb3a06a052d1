import { embeddedEngine } from '@querypost/server/engine-definitions'
import type { Database, Table } from '../../api/databases.ts'
import { defaultSchemaOf } from '../../editor/default-schemas.ts'
import { quoteTable } from '../../editor/identifiers.ts'

type QueriedDatabase = Pick<Database, 'engine' | 'settings'>

const embedded: QueriedDatabase = { engine: embeddedEngine, settings: { file: '' } }

/** The name of a table as written in SQL, quoted if necessary. */
export const sqlName = (table: Pick<Table, 'schema' | 'name'>, database: QueriedDatabase = embedded) =>
  quoteTable(table, { dialect: database.engine, defaultSchema: defaultSchemaOf(database) })

/** A first query of a table. */
export const starterQuery = (table: Pick<Table, 'schema' | 'name'>, database: QueriedDatabase = embedded) =>
  `select *\nfrom ${sqlName(table, database)}\nlimit 100`
