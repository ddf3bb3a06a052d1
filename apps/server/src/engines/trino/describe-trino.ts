import type { Table } from '../engine.ts'
import { commentOf } from '../table-comment.ts'
import { literal, quoted } from './trino-session.ts'

type Query = (sql: string) => Promise<unknown[][]>

/** Tables and views of the catalog, in alphabetical order. Columns keep their own order. */
export async function describeTables(query: Query, catalog: string): Promise<Table[]> {
  const schema = `${quoted(catalog)}.information_schema`
  const own = `table_schema <> 'information_schema'`
  const tables = new Map<string, Table>()
  for (const row of await query(
    `SELECT table_schema, table_name, table_type FROM ${schema}.tables WHERE ${own} ORDER BY table_schema, table_name`,
  )) {
    const [schemaName, name, type] = row as [string, string, string]
    const kind = type === 'VIEW' ? 'view' : 'table'
    tables.set(keyOf(schemaName, name), { schema: schemaName, name, kind, columns: [], rowEstimate: null, comment: null })
  }
  const comments = await columnComments(query, catalog)
  for (const row of await query(
    `SELECT table_schema, table_name, column_name, data_type, is_nullable FROM ${schema}.columns
     WHERE ${own} ORDER BY table_schema, table_name, ordinal_position`,
  )) {
    const [schemaName, table, name, type, isNullable] = row as [string, string, string, string, string]
    const comment = commentOf(comments.get(keyOf(schemaName, table, name)))
    tables.get(keyOf(schemaName, table))?.columns.push({ name, type, nullable: isNullable !== 'NO', comment })
  }
  for (const row of await optional(query(
    `SELECT schema_name, table_name, comment FROM system.metadata.table_comments
     WHERE catalog_name = ${literal(catalog.toLowerCase())} AND schema_name <> 'information_schema' AND comment IS NOT NULL`,
  ))) {
    const [schemaName, name, comment] = row as [string, string, string]
    const table = tables.get(keyOf(schemaName, name))
    if (table) table.comment = commentOf(comment)
  }
  return [...tables.values()]
}

async function columnComments(query: Query, catalog: string): Promise<Map<string, string>> {
  const rows = await optional(query(
    `SELECT table_schem, table_name, column_name, remarks FROM system.jdbc.columns
     WHERE table_cat = ${literal(catalog.toLowerCase())} AND remarks IS NOT NULL`,
  ))
  return new Map(rows.map((row) => {
    const [schemaName, table, name, comment] = row as [string, string, string, string]
    return [keyOf(schemaName, table, name), comment]
  }))
}

/** The system catalog may be closed to the user. Then there are no comments. */
const optional = (rows: Promise<unknown[][]>) => rows.catch((): unknown[][] => [])

const keyOf = (...names: string[]) => JSON.stringify(names)
