import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { type PartitionedTable, timeColumns } from './partitioned-tables.ts'

/**
 * Deletes expired rows of one partition, one portion per call, so that no statement holds locks for long. Concurrent sweeps skip each
 * other's rows. Returns how many it deleted; none if another process has dropped the partition.
 */
export async function removeOldRows(
  db: Db,
  options: { table: PartitionedTable; partition: string; before: Date; portion: number },
): Promise<number> {
  const partition = sql.table(options.partition)
  const time = sql.ref(timeColumns[options.table])
  try {
    const { numAffectedRows } = await sql`
      delete from ${partition} where id = any (array(
        select id from ${partition} where ${time} < ${options.before}
        order by ${time}
        limit ${options.portion}
        for update skip locked))`.execute(db)
    return Number(numAffectedRows ?? 0n)
  } catch (error) {
    if ((error as { code?: string }).code === '42P01') return 0
    throw error
  }
}
