import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { PartitionedTable } from './partitioned-tables.ts'

/** As the catalog has it. */
export interface StoredPartition {
  name: string
  isDefault: boolean
  /** The bounds as text, times in UTC; null where there is none. */
  from: string | null
  to: string | null
}

/** The partitions of a table, by name. Reads only the catalog. */
export async function readPartitions(db: Db, table: PartitionedTable): Promise<StoredPartition[]> {
  return db.transaction().execute(async (tx) => {
    await sql`set local timezone to 'UTC'`.execute(tx)
    const { rows } = await sql<StoredPartition>`
      select name, bound = 'DEFAULT' as "isDefault", substring(bound from $$FROM [(]'([^']*)'[)]$$) as "from",
        substring(bound from $$TO [(]'([^']*)'[)]$$) as "to"
      from (
        select relname as name, pg_get_expr(relpartbound, oid) as bound
        from pg_inherits join pg_class on oid = inhrelid
        where inhparent = ${table}::regclass) as partition
      order by name`.execute(tx)
    return rows
  })
}
