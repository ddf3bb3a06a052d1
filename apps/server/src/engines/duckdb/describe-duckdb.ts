import type { Table } from '../engine.ts'
import type { EngineResult } from '../../model/result.ts'
import { commentOf } from '../table-comment.ts'

const tablesSql = `
  select schema_name, table_name, 'table' as kind, estimated_size, comment from duckdb_tables()
  where not internal and database_name = current_database()
  union all
  select schema_name, view_name, 'view', null, comment from duckdb_views()
  where not internal and database_name = current_database()
  order by schema_name, table_name`

const columnsSql = `
  select schema_name, table_name, column_name, data_type, is_nullable, comment from duckdb_columns()
  where not internal and database_name = current_database()
  order by schema_name, table_name, column_index`

/** The user's tables and views (no internal ones), in alphabetical order. Columns keep their own order. */
export async function describeTables(run: (sql: string) => Promise<EngineResult>): Promise<Table[]> {
  const tables = new Map<string, Table>()
  for (const [schema, name, kind, rowEstimate, comment] of (await allRows(await run(tablesSql))) as TableRow[]) {
    tables.set(JSON.stringify([schema, name]), { schema, name, kind, columns: [], rowEstimate, comment: commentOf(comment) })
  }
  for (const [schema, table, name, type, nullable, comment] of (await allRows(await run(columnsSql))) as ColumnRow[]) {
    tables.get(JSON.stringify([schema, table]))?.columns.push({ name, type, nullable, comment: commentOf(comment) })
  }
  return [...tables.values()]
}

type TableRow = [schema: string, name: string, kind: 'table' | 'view', rowEstimate: number | null, comment: string | null]
type ColumnRow = [schema: string, table: string, name: string, type: string, nullable: boolean, comment: string | null]

export async function allRows(result: EngineResult): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const batch of result.batches) rows.push(...(JSON.parse(`[${Buffer.from(batch.json).toString()}]`) as unknown[]))
  return rows
}
