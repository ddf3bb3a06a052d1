import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

/** The right to carry out an agent run. `leaseNumber` is another with every claim, also with the next one of the same worker. */
export interface Lease {
  runId: string
  workerId: string
  leaseNumber: number
}

/** What happened meanwhile to the runs in a worker's hands. */
export interface Orders {
  /** It holds these no longer. */
  lost: string[]
  /** Somebody wants these stopped. */
  stops: { runId: string; userId: string; by: string }[]
}

/** Renews the worker's leases on these runs. One that has expired is renewed as well, if nobody has taken the run meanwhile. */
export async function renewAgentRunLeases(
  db: Db,
  options: { workerId: string; leases: Pick<Lease, 'runId' | 'leaseNumber'>[]; leaseExpiresAt: Date },
): Promise<void> {
  await sql`${prepared}
    update agent_runs set lease_expires_at = ${options.leaseExpiresAt}
    from ${these(options.leases)}
    where id = held.run_id and lease_number = held.number
      and lease_owner = ${options.workerId} and status = 'running'`.execute(db)
}

export async function readAgentRunOrders(
  db: Db,
  options: { workerId: string; leases: Pick<Lease, 'runId' | 'leaseNumber'>[] },
): Promise<Orders> {
  const { rows } = await sql<{ runId: string; userId: string | null; by: string | null }>`${prepared}
    select agent_runs.id as "runId", stop_requested_by as "userId", users.name as by
    from ${these(options.leases)}
    join agent_runs on agent_runs.id = held.run_id and lease_number = held.number
    left join users on users.id = stop_requested_by
    where lease_owner = ${options.workerId} and status = 'running'`.execute(db)
  const stillHeld = new Set(rows.map(({ runId }) => runId))
  return {
    lost: options.leases.map(({ runId }) => runId).filter((runId) => !stillHeld.has(runId)),
    stops: rows.flatMap(({ runId, userId, by }) => (userId === null ? [] : [{ runId, userId, by: by ?? userId }])),
  }
}

const these = (leases: Pick<Lease, 'runId' | 'leaseNumber'>[]) => sql`
  unnest(${leases.map(({ runId }) => runId)}::text[], ${leases.map(({ leaseNumber }) => leaseNumber)}::integer[])
    as held (run_id, number)`

/** Asks the worker that holds the run to stop it. False when it is not running. Who asked first is who stopped it. */
export async function requestAgentRunStop(db: Db, options: { runId: string; userId: string }): Promise<boolean> {
  const { rows } = await sql`
    update agent_runs set stop_requested_by = coalesce(stop_requested_by, ${options.userId})
    where id = ${options.runId} and status = 'running'
    returning id`.execute(db)
  return rows.length === 1
}

/** The running runs whose worker has not renewed its lease: it died, or cannot reach the store. Oldest first. */
export async function findExpiredAgentRuns(db: Db, options: { now: Date; count: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('agent_runs')
    .select('id')
    .where('status', '=', 'running')
    .where('lease_expires_at', '<=', options.now)
    .orderBy('lease_expires_at')
    .limit(options.count)
    .execute()
  return rows.map((row) => row.id)
}

/** Ends all leases: for a start that owns the store alone, so that every worker that held one is known to be dead. */
export async function expireAgentRunLeases(db: Db, options: { now: Date }): Promise<void> {
  await db.updateTable('agent_runs').set({ lease_expires_at: options.now }).where('status', '=', 'running').execute()
}
