import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

/** The right to carry out a run. Its number increases when the run is claimed and when the lease is revoked. */
export interface RunLease {
  id: string
  leaseNumber: number
}

/** Renews the worker's leases on these runs and returns the ids of those it still holds. */
export async function renewRunLeases(
  db: Db,
  options: { workerId: string; leases: RunLease[]; leaseMs: number },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`${prepared}
    update runs set lease_expires_at = ${storeNowPlus(options.leaseMs)}
    from ${heldLeases(options.leases)}
    where runs.id = held.id and runs.lease_number = held.lease_number
      and status = 'running' and lease_owner = ${options.workerId}
    returning runs.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The worker's runs for which a stop was requested, and by whom. */
export async function readRunStops(
  db: Db,
  options: { workerId: string; leases: RunLease[] },
): Promise<{ id: string; userId: string; by: string }[]> {
  const { rows } = await sql<{ id: string; userId: string; by: string }>`${prepared}
    select runs.id, stop_requested_by as "userId", coalesce(users.name, stop_requested_by) as by
    from ${heldLeases(options.leases)}
    join runs on runs.id = held.id and runs.lease_number = held.lease_number
    left join users on users.id = stop_requested_by
    where status = 'running' and lease_owner = ${options.workerId} and stop_requested_by is not null`.execute(db)
  return rows
}

const heldLeases = (leases: RunLease[]): RawBuilder<unknown> => sql`
  unnest(${leases.map(({ id }) => id)}::text[], ${leases.map(({ leaseNumber }) => leaseNumber)}::integer[])
    as held (id, lease_number)`

/** Asks the worker that holds the run to stop it. False if it is not running. */
export async function requestStop(db: Db, options: { runId: string; userId: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({ stop_requested_by: options.userId })
    .where('id', '=', options.runId)
    .where('status', '=', 'running')
    .modifyEnd(wakes('run_stops'))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Expires all leases. For startup with exclusive ownership of the store, when every worker that held one is known to be dead. */
export async function expireRunLeases(db: Db): Promise<void> {
  await db.updateTable('runs').set({ lease_expires_at: storeNow }).where('status', '=', 'running').execute()
}
