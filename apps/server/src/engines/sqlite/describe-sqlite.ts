import type { EngineResult } from '../../model/result.ts'
import { allRows } from '../duckdb/describe-duckdb.ts'
import type { Table } from '../engine.ts'

/** The tables and views, in alphabetical order. SQLite has no comments and no cheap row estimates. */
const columnsSql = `
  select entry.name, entry.type, field.name, field.type, field."notnull"
  from sqlite_schema entry left join pragma_table_xinfo(entry.name) field
  where entry.type in ('table', 'view') and entry.name not like 'sqlite\\_%' escape '\\' and field.hidden is not 1
  order by entry.name, field.cid`

type ColumnRow = [table: string, kind: 'table' | 'view', name: string, type: string, isRequired: number]

export async function describeTables(run: (sql: string) => Promise<EngineResult>): Promise<Table[]> {
  const tables = new Map<string, Table>()
  for (const [table, kind, name, type, isRequired] of (await allRows(await run(columnsSql))) as ColumnRow[]) {
    const known = tables.get(table) ?? { schema: 'main', name: table, kind, columns: [], rowEstimate: null, comment: null }
    known.columns.push({ name, type, nullable: isRequired !== 1, comment: null })
    tables.set(table, known)
  }
  return [...tables.values()]
}
