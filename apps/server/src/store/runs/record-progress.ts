import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { RunLease } from './run-leases.ts'

export interface Progress {
  rowCountSoFar?: number
  /** Null where there is no estimate (any more). */
  percent?: number | null
}

/** Writes how far the worker's runs are, all of them in one statement. No index holds these columns, so nothing else is written. */
export async function recordProgress(
  db: Db,
  options: { workerId: string; runs: (RunLease & { progress: Progress })[] },
): Promise<void> {
  const { runs } = options
  await sql`
    update runs set row_count_so_far = told.row_count, progress = told.percent
    from unnest(${runs.map(({ id }) => id)}::text[], ${runs.map(({ leaseNumber }) => leaseNumber)}::integer[],
      ${runs.map(({ progress }) => progress.rowCountSoFar ?? null)}::bigint[],
      ${runs.map(({ progress }) => progress.percent ?? null)}::real[]) as told (id, lease_number, row_count, percent)
    where runs.id = told.id and runs.lease_number = told.lease_number and status = 'running'
      and lease_owner = ${options.workerId}`.execute(db)
}
