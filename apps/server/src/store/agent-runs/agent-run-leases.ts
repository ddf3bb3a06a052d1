import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

interface HeldLease {
  id: string
  leaseNumber: number
}

/**
 * Renews the worker's leases on these runs and returns the ids of those it still holds. An expired lease is renewed too if no other
 * worker has claimed the run since.
 */
export async function renewAgentRunLeases(
  db: Db,
  options: { workerId: string; leases: HeldLease[]; leaseMs: number },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`${prepared}
    update agent_runs set lease_expires_at = ${storeNowPlus(options.leaseMs)}
    from ${heldLeases(options.leases)}
    where agent_runs.id = held.id and agent_runs.lease_number = held.lease_number
      and lease_owner = ${options.workerId} and status = 'running'
    returning agent_runs.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The worker's agent runs for which a stop was requested, and by whom. */
export async function readAgentRunStops(
  db: Db,
  options: { workerId: string; leases: HeldLease[] },
): Promise<{ id: string; userId: string; by: string }[]> {
  const { rows } = await sql<{ id: string; userId: string; by: string }>`${prepared}
    select agent_runs.id, stop_requested_by as "userId", coalesce(users.name, stop_requested_by) as by
    from ${heldLeases(options.leases)}
    join agent_runs on agent_runs.id = held.id and agent_runs.lease_number = held.lease_number
    left join users on users.id = stop_requested_by
    where lease_owner = ${options.workerId} and status = 'running' and stop_requested_by is not null`.execute(db)
  return rows
}

const heldLeases = (leases: HeldLease[]): RawBuilder<unknown> => sql`
  unnest(${leases.map(({ id }) => id)}::text[], ${leases.map(({ leaseNumber }) => leaseNumber)}::integer[])
    as held (id, lease_number)`

/** Asks the worker that holds the run to stop it. False if it is not running. The first requester is recorded as the one who stopped it. */
export async function requestAgentRunStop(db: Db, options: { runId: string; userId: string }): Promise<boolean> {
  const { rows } = await sql`${wakes('agent_run_stops')}
    update agent_runs set stop_requested_by = coalesce(stop_requested_by, ${options.userId})
    where id = ${options.runId} and status = 'running'
    returning id`.execute(db)
  return rows.length === 1
}

/** Running runs whose lease has expired because their worker died or cannot reach the store. Oldest first. */
export async function findExpiredAgentRuns(db: Db, options: { count: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('agent_runs')
    .select('id')
    .where('status', '=', 'running')
    .where('lease_expires_at', '<=', storeNow)
    .orderBy('lease_expires_at')
    .limit(options.count)
    .execute()
  return rows.map((row) => row.id)
}

/** Expires all leases. For startup with exclusive ownership of the store, when every worker that held one is known to be dead. */
export async function expireAgentRunLeases(db: Db): Promise<void> {
  await db.updateTable('agent_runs').set({ lease_expires_at: storeNow }).where('status', '=', 'running').execute()
}
