import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { storeNow } from '../store-now.ts'

/**
 * Holds pending deliveries of disabled endpoints, in batches: an endpoint may have 100,000 of them, and no other statement should wait
 * for more than one batch. Until it is held, a delivery stays pending, which is harmless: no worker claims it while its endpoint is
 * disabled.
 *
 * A batch blocks enabling its endpoint until it is done, and holds nothing if the endpoint has been enabled. Publishing does not wait
 * for it.
 */
const batchCount = 1000

/** How many batches are held right away when an endpoint is disabled. The rest is left to `holdLeftovers`. */
export const batchesAtOnce = 10
/** How many batches one call of `holdLeftovers` holds, approximately. It is limited so that a worker can stop in time. */
const leftoverBatches = 50

/** Holds an endpoint's pending deliveries if it is disabled. Deliveries being sent are left alone; their attempt decides. */
export function holdPending(db: Db, options: { endpointId: string; batches?: number }): Promise<void> {
  return holdInBatches(db, { ...options, free: sql`lease_owner is null` })
}

/**
 * Holds deliveries still pending for disabled endpoints: those beyond the batches held at once, those published while the endpoint was
 * being disabled, and those left by a worker that died.
 */
export async function holdLeftovers(db: Db): Promise<void> {
  const free = sql`(lease_expires_at is null or lease_expires_at <= ${storeNow})`
  const { rows } = await sql<{ id: string }>`
    select endpoint.id
    from webhook_endpoints as endpoint
    where endpoint.state = 'disabled' and (
      select id from webhook_deliveries
      where endpoint_id = endpoint.id and state = 'pending' and not is_test and ${free}
      order by next_attempt_at
      limit 1) is not null
    limit ${leftoverBatches}`.execute(db)
  for (const { id: endpointId } of rows) {
    await holdInBatches(db, { endpointId, free, batches: Math.ceil(leftoverBatches / rows.length) })
  }
}

async function holdInBatches(
  db: Db,
  options: { endpointId: string; free: RawBuilder<unknown>; batches?: number },
): Promise<void> {
  const { batches = Number.POSITIVE_INFINITY } = options
  // Each batch starts where the last one ended, so that it need not skip deliveries already held.
  let dueFrom = '-infinity'
  for (let batch = 0; batch < batches; batch++) {
    const { count, dueUpTo } = await holdBatch(db, { ...options, dueFrom })
    if (count < batchCount) return
    dueFrom = dueUpTo!
  }
}

async function holdBatch(
  db: Db,
  options: { endpointId: string; free: RawBuilder<unknown>; dueFrom: string },
): Promise<{ count: number; dueUpTo: string | null }> {
  const { rows } = await sql<{ count: number; dueUpTo: string | null }>`
    with endpoint as materialized (
      select id from webhook_endpoints where id = ${options.endpointId} and state = 'disabled' for share),
    pending as materialized (
      select delivery.*
      from endpoint cross join lateral (
        select id, next_attempt_at
        from webhook_deliveries
        where endpoint_id = endpoint.id and state = 'pending' and not is_test and ${options.free}
          and next_attempt_at >= ${options.dueFrom}::timestamptz
        order by next_attempt_at
        limit ${batchCount}
        for update skip locked) as delivery),
    held as (
      update webhook_deliveries as delivery
      set state = 'held', held_at = ${storeNow}, next_attempt_at = null, lease_owner = null, lease_expires_at = null
      from pending
      where delivery.id = pending.id)
    select count(*)::integer as count, max(next_attempt_at)::text as "dueUpTo" from pending`.execute(db)
  return rows[0]!
}
