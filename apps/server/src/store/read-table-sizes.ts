import { sql } from 'kysely'
import type { Db } from './db.ts'

export interface TableSize {
  table: string
  /** With indexes and large values. */
  sizeBytes: number
  /** PostgreSQL's estimate; null until the table has been vacuumed or analyzed. */
  rowCount: number | null
}

/** Reads the catalog, never the tables, so it costs the same however large they are. */
export async function readTableSizes(db: Db): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select relname as "table", pg_total_relation_size(oid)::float8 as "sizeBytes",
      case when reltuples >= 0 then reltuples::float8 end as "rowCount"
    from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
    order by relname`.execute(db)
  return rows
}
