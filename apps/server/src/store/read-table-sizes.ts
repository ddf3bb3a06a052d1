import { sql } from 'kysely'
import type { Db } from './db.ts'

export interface TableSize {
  table: string
  /** With indexes and large values. */
  sizeBytes: number
  /** PostgreSQL's estimate; null until the table has been vacuumed or analyzed. */
  rowCount: number | null
}

/**
 * Reads the catalog, never the tables, so it costs the same however large they are. A partitioned table has the bytes and rows of all its
 * partitions.
 */
export async function readTableSizes(db: Db): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select relname as "table", sum(pg_total_relation_size(relid))::float8 as "sizeBytes",
      sum(case when part.reltuples >= 0 then part.reltuples::float8 end) as "rowCount"
    from pg_class as named cross join lateral (
      select named.oid as relid, named.reltuples where named.relkind = 'r'
      union all select inhrelid, partition.reltuples
      from pg_inherits join pg_class as partition on partition.oid = inhrelid where inhparent = named.oid) as part
    where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace
    group by relname
    order by relname`.execute(db)
  return rows
}
