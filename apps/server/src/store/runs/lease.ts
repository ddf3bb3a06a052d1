import type { Db } from '../db.ts'

/** Renews the lease of all runs that this worker holds. */
export async function renewLeases(db: Db, options: { workerId: string; leaseExpiresAt: Date }): Promise<void> {
  await db
    .updateTable('runs')
    .set({ lease_expires_at: options.leaseExpiresAt })
    .where('status', '=', 'running')
    .where('lease_owner', '=', options.workerId)
    .execute()
}

/** Which of its runs the worker no longer holds, and which somebody wants stopped. */
export async function readOrders(
  db: Db,
  options: { workerId: string; runIds: string[] },
): Promise<{ lost: string[]; stops: { runId: string; by: string }[] }> {
  const rows = await db
    .selectFrom('runs')
    .leftJoin('users', 'users.id', 'runs.stop_requested_by')
    .select(['runs.id', 'stop_requested_by', 'users.name'])
    .where('runs.id', 'in', options.runIds)
    .where('status', '=', 'running')
    .where('lease_owner', '=', options.workerId)
    .execute()
  const held = new Set(rows.map((row) => row.id))
  return {
    lost: options.runIds.filter((id) => !held.has(id)),
    stops: rows
      .filter((row) => row.stop_requested_by !== null)
      .map((row) => ({ runId: row.id, by: row.name ?? row.stop_requested_by! })),
  }
}

/** Asks the worker that holds the run to stop it. False when it is not running. */
export async function requestStop(db: Db, options: { runId: string; userId: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({ stop_requested_by: options.userId })
    .where('id', '=', options.runId)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends all leases: for a start that owns the store alone, so that every worker that held one is known to be dead. */
export async function expireLeases(db: Db, options: { now: Date }): Promise<void> {
  await db.updateTable('runs').set({ lease_expires_at: options.now }).where('status', '=', 'running').execute()
}
