import type { Table } from '../engine.ts'
import { commentOf } from '../table-comment.ts'

type Query = (sql: string) => Promise<unknown[][]>

/** Tables and views of the database, in alphabetical order. Columns keep their own order. */
export async function describeTables(query: Query, database: string): Promise<Table[]> {
  const schema = `"${database.replaceAll('"', '""')}".INFORMATION_SCHEMA`
  const own = `TABLE_SCHEMA <> 'INFORMATION_SCHEMA'`
  const tables = new Map<string, Table>()
  for (const row of await query(
    `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ROW_COUNT, COMMENT FROM ${schema}.TABLES WHERE ${own} ORDER BY TABLE_SCHEMA, TABLE_NAME`,
  )) {
    const [schemaName, name, type, rowCount, comment] = row as [string, string, string, number | null, string | null]
    const kind = type.endsWith('VIEW') ? 'view' : 'table'
    const rowEstimate = kind === 'view' ? null : rowCount
    tables.set(keyOf(schemaName, name), { schema: schemaName, name, kind, columns: [], rowEstimate, comment: commentOf(comment) })
  }
  for (const row of await query(
    `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, IS_NULLABLE, COMMENT FROM ${schema}.COLUMNS
     WHERE ${own} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
  )) {
    const [schemaName, table, name, type, isNullable, comment] = row as [string, string, string, string, string, string | null]
    tables.get(keyOf(schemaName, table))?.columns.push({ name, type, nullable: isNullable !== 'NO', comment: commentOf(comment) })
  }
  return [...tables.values()]
}

const keyOf = (...names: string[]) => JSON.stringify(names)
