import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { RunLease } from './run-leases.ts'

export interface Progress {
  rowCountSoFar?: number
  /** Null if there is no estimate, or no longer one. */
  percent?: number | null
}

/** Records the progress of all of a worker's runs in one statement. No index contains these columns, so the update is cheap. */
export async function recordProgress(
  db: Db,
  options: { workerId: string; runs: (RunLease & { progress: Progress })[] },
): Promise<void> {
  const { runs } = options
  await sql`
    update runs set row_count_so_far = reported.row_count, progress = reported.percent
    from unnest(${runs.map(({ id }) => id)}::text[], ${runs.map(({ leaseNumber }) => leaseNumber)}::integer[],
      ${runs.map(({ progress }) => progress.rowCountSoFar ?? null)}::bigint[],
      ${runs.map(({ progress }) => progress.percent ?? null)}::real[]) as reported (id, lease_number, row_count, percent)
    where runs.id = reported.id and runs.lease_number = reported.lease_number and status = 'running'
      and lease_owner = ${options.workerId}`.execute(db)
}
