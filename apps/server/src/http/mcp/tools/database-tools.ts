import { Type } from 'typebox'
import { type EngineKind, engineKinds } from '../../../engines/registry/definitions.ts'
import { describeDatabase, listDatabases as readDatabases } from '../../../domain/databases/databases.ts'
import { findTable } from '../../../domain/databases/find-table.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { oneOf } from '../../schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { linksAt } from '../mcp-links.ts'
import { closed, ConfigId, integer, nullableInteger, text } from '../shapes.ts'
import { shown } from '../mcp-texts.ts'
import { defineTool, reads } from '../tool.ts'

export const listDatabases = defineTool({
  name: 'list_databases',
  scope: 'read:databases',
  title: 'List databases',
  description: 'Lists the analytical databases that queries run against.',
  hints: reads,
  input: Type.Object({}, closed),
  output: Type.Object({
    items: Type.Array(
      Type.Object({ id: text, name: text, engine: oneOf(engineKinds), tableCount: nullableInteger, url: text }),
    ),
  }),
  async call({ services, caller }) {
    const databases = await readDatabases(services, caller)
    const items = databases.map(({ id, name, engine, tableCount }) => ({
      id,
      name: shown(name, bounds.listedText),
      engine: engine as EngineKind,
      tableCount,
      url: linksAt(services).database(id),
    }))
    return { items }
  },
})

const kind = oneOf(['table', 'view'])

export const listTables = defineTool({
  name: 'list_tables',
  scope: 'read:databases',
  title: 'List tables of a database',
  description: `Lists up to ${bounds.tables} tables and views of a database; search matches part of the name.`,
  hints: reads,
  input: Type.Object(
    { analyticalDatabaseConfigId: ConfigId, search: Type.Optional(Type.String({ maxLength: 200 })) },
    closed,
  ),
  output: Type.Object({
    items: Type.Array(
      Type.Object({ schema: text, name: text, kind, columnCount: integer, rowEstimate: nullableInteger }),
    ),
    tableCount: integer,
  }),
  async call({ services, caller }, { analyticalDatabaseConfigId, search = '' }) {
    const wanted = search.toLowerCase()
    const tables = await describeDatabase(services, caller, analyticalDatabaseConfigId)
    const found = tables.filter(({ schema, name }) => `${schema}.${name}`.toLowerCase().includes(wanted))
    const items = found.slice(0, bounds.tables).map((table) => ({
      schema: shown(table.schema, bounds.listedText),
      name: shown(table.name, bounds.listedText),
      kind: table.kind,
      columnCount: table.columns.length,
      rowEstimate: table.rowEstimate === null ? null : Math.round(table.rowEstimate),
    }))
    return { items, tableCount: found.length }
  },
})

export const describeTable = defineTool({
  name: 'describe_table',
  scope: 'read:databases',
  title: 'Describe a table',
  description: 'Returns the columns of a table or view with their types, to understand the SQL of a reference.',
  hints: reads,
  input: Type.Object(
    {
      analyticalDatabaseConfigId: ConfigId,
      table: Type.String({ maxLength: 500, description: 'name or schema.name' }),
    },
    closed,
  ),
  output: Type.Object({
    schema: text,
    name: text,
    kind,
    columnCount: integer,
    columns: Type.Array(Type.Object({ name: text, type: text, nullable: Type.Boolean() })),
  }),
  async call({ services, caller }, { analyticalDatabaseConfigId, table: named }) {
    const table = findTable(await describeDatabase(services, caller, analyticalDatabaseConfigId), named)
    if (!table) throw new Refusal('table_not_found', `There is no table ${JSON.stringify(named)} in this database.`)
    return {
      schema: shown(table.schema, bounds.listedText),
      name: shown(table.name, bounds.listedText),
      kind: table.kind,
      columnCount: table.columns.length,
      columns: table.columns.slice(0, bounds.columns).map(({ name, type, nullable }) => ({
        name: shown(name, bounds.listedText),
        type: shown(type, bounds.listedText),
        nullable,
      })),
    }
  },
})
