import type { Table } from '../engine.ts'
import { commentOf } from '../table-comment.ts'
import type { Server } from './clickhouse-connection.ts'

const systemDatabases = ['system', 'INFORMATION_SCHEMA', 'information_schema', '_temporary_and_external_tables']
const own = `database NOT IN ('${systemDatabases.join("', '")}')`
/** Skips the hidden storage tables behind materialized views. */
const visible = `NOT startsWith(name, '.inner')`

/** Old versions know neither row counts nor comments of tables. */
const knownColumnsSql = `
  SELECT table, name FROM system.columns
  WHERE database = 'system' AND table IN ('tables', 'columns') AND name IN ('total_rows', 'comment')`

/** Versions before 20 only know row counts per part. */
const partsSql = `SELECT database, table, sum(rows) AS rows FROM system.parts WHERE active GROUP BY database, table`

const columnsSql = (comment: string) => `SELECT database, table, name, type, ${comment} FROM system.columns WHERE ${own}`

interface TableRow {
  database: string
  name: string
  engine: string
  total_rows: string | number | null
  comment: string
}

interface ColumnRow {
  database: string
  table: string
  name: string
  type: string
  comment: string
}

/** Tables and views of all databases visible to the user, in alphabetical order. Columns keep their own order. */
export async function describeTables(server: Server, signal: AbortSignal): Promise<Table[]> {
  const known = await server.query<{ table: string; name: string }>(knownColumnsSql, signal)
  const has = (table: string, name: string) => known.some((column) => column.table === table && column.name === name)
  const hasTotals = has('tables', 'total_rows')
  const commentIn = (table: string) => (has(table, 'comment') ? 'comment' : "'' AS comment")
  const rows = await server.query<TableRow>(
    `SELECT database, name, engine, ${hasTotals ? 'total_rows' : 'NULL AS total_rows'}, ${commentIn('tables')}
     FROM system.tables WHERE ${own} AND ${visible} ORDER BY database, name`,
    signal,
  )
  const parts = hasTotals ? [] : await server.query<{ database: string; table: string; rows: string }>(partsSql, signal)
  const rowsOf = new Map(parts.map(({ database, table, rows: count }) => [keyOf(database, table), Number(count)]))
  const tables = new Map<string, Table>()
  for (const { database, name, engine, total_rows: total, comment } of rows) {
    const isView = engine.endsWith('View')
    // Distributed and Merge tables and views store no rows.
    const storesNoRows = isView || engine === 'Distributed' || engine === 'Merge'
    const estimate = total === null ? (rowsOf.get(keyOf(database, name)) ?? null) : Number(total)
    tables.set(keyOf(database, name), {
      schema: database,
      name,
      kind: isView ? 'view' : 'table',
      columns: [],
      rowEstimate: storesNoRows ? null : estimate,
      comment: commentOf(comment),
    })
  }
  for (const { database, table, name, type, comment } of await server.query<ColumnRow>(columnsSql(commentIn('columns')), signal)) {
    const nullable = /^(LowCardinality\()?Nullable\(/.test(type)
    tables.get(keyOf(database, table))?.columns.push({ name, type, nullable, comment: commentOf(comment) })
  }
  return [...tables.values()]
}

const keyOf = (database: string, table: string) => JSON.stringify([database, table])
