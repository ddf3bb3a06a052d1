import type { Table } from '../engine.ts'
import type { EngineResult } from '../../model/result.ts'
import { commentOf } from '../table-comment.ts'

/** More than a person can look through. Further tables, in alphabetical order, are left out. */
const maxTables = 5000

const systemSchemas = "('information_schema', 'mysql', 'performance_schema', 'sys')"

const tablesSql = `
  select table_schema, table_name, table_type, table_rows, table_comment from information_schema.tables
  where table_schema not in ${systemSchemas} and table_type <> 'SEQUENCE'
  order by table_schema, table_name
  limit ${maxTables}`

const columnsSql = `
  select table_schema, table_name, column_name, column_type, is_nullable, column_comment from information_schema.columns
  where table_schema not in ${systemSchemas}
  order by table_schema, table_name, ordinal_position`

/** The tables and views the user may see, outside the server's system databases. Estimates come from the storage engines. */
export async function describeTables(run: (sql: string) => Promise<EngineResult>): Promise<Table[]> {
  const tables = new Map<string, Table>()
  for await (const [schema, name, type, rowCount, comment] of rowsOf<TableRow>(await run(tablesSql))) {
    const kind = type.endsWith('VIEW') ? 'view' : 'table'
    const rowEstimate = kind === 'table' ? rowCount : null
    // Every view has the comment VIEW.
    const ownComment = kind === 'table' ? commentOf(comment) : null
    tables.set(JSON.stringify([schema, name]), { schema, name, kind, columns: [], rowEstimate, comment: ownComment })
  }
  for await (const [schema, table, name, type, isNullable, comment] of rowsOf<ColumnRow>(await run(columnsSql))) {
    const column = { name, type, nullable: isNullable === 'YES', comment: commentOf(comment) }
    tables.get(JSON.stringify([schema, table]))?.columns.push(column)
  }
  return [...tables.values()]
}

type TableRow = [schema: string, name: string, type: string, rowCount: number | null, comment: string | null]
type ColumnRow = [schema: string, table: string, name: string, type: string, isNullable: string, comment: string | null]

export async function* rowsOf<Row>(result: EngineResult): AsyncGenerator<Row> {
  for await (const { json } of result.batches) yield* JSON.parse(`[${Buffer.from(json).toString()}]`) as Row[]
}
