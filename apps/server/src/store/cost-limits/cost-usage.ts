import { sql } from 'kysely'
import type { CostLimits, CostUsage } from '../../model/cost-limits.ts'
import type { Db, Tx } from '../db.ts'
import { isWaitingRun } from '../runs/waiting-runs.ts'
import { storeNow } from '../store-now.ts'

/** Undefined without limits. */
export async function readCostLimits(db: Db | Tx, organizationId: string): Promise<CostLimits | undefined> {
  const row = await db.selectFrom('organizations').select('cost_limits').where('id', '=', organizationId).executeTakeFirst()
  return row?.cost_limits ?? undefined
}

/** Locks the limits and the count of the organization until the transaction ends, so that concurrent runs are counted one by one. */
export async function lockCostLimits(tx: Tx, organizationId: string): Promise<CostLimits | undefined> {
  const row = await tx
    .selectFrom('organizations')
    .select('cost_limits')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.cost_limits ?? undefined
}

const today = sql`(${storeNow} at time zone 'UTC')::date`

export async function readCostUsage(db: Db | Tx, key: { organizationId: string; personId: string }): Promise<CostUsage> {
  const { rows } = await sql<CostUsage>`
    select coalesce(sum(bytes), 0)::bigint as "organizationBytes",
      coalesce(sum(bytes) filter (where person_id = ${key.personId}), 0)::bigint as "personBytes"
    from cost_usage
    where organization_id = ${key.organizationId} and day = ${today}`.execute(db)
  return rows[0]!
}

/** Adds the estimate of a run to today's count. With `runId`, only if that run was recorded: as it is, or waiting for another. */
export async function addCostUsage(
  tx: Tx,
  use: { organizationId: string; personId: string; bytes: number; runId?: string },
): Promise<void> {
  const isRecorded =
    use.runId === undefined
      ? sql`true`
      : sql`exists (select from runs where id = ${use.runId}) or ${isWaitingRun(use.runId)}`
  await sql`
    insert into cost_usage (organization_id, day, person_id, bytes)
    select ${use.organizationId}, ${today}, ${use.personId}, ${use.bytes}::bigint
    where ${isRecorded}
    on conflict (organization_id, day, person_id) do update set bytes = cost_usage.bytes + excluded.bytes`.execute(tx)
}

/** Removes a batch of rows. Concurrent sweeps skip each other's rows. */
export async function removeOldCostUsage(db: Db, options: { before: Date; batchSize: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as materialized (
      select organization_id, day, person_id from cost_usage
      where day < (${options.before}::timestamptz at time zone 'UTC')::date
      order by day
      limit ${options.batchSize}
      for update skip locked)
    delete from cost_usage where (organization_id, day, person_id) in (select organization_id, day, person_id from old)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
