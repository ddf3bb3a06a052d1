import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { storeNow } from '../store-now.ts'

/**
 * Holding what is pending for disabled endpoints, in batches: an endpoint may have 100,000 of them, and nobody waits for more than one
 * batch. Until its turn comes a delivery stays pending, which changes nothing: no worker claims it while its endpoint is disabled.
 *
 * A batch keeps its endpoint from being enabled until it is over, and holds nothing for one that has been enabled by then. Publishing
 * does not wait for it.
 */
const batchCount = 1000

/** How many batches whoever disables an endpoint holds right away; the rest is left to `holdLeftovers`. */
export const batchesAtOnce = 10
/** How many batches `holdLeftovers` holds, more or less; the rest waits for the next call, so that a worker that is told to stop can. */
const leftoverBatches = 50

/** Holds what is pending for an endpoint, if it is disabled. What is being sent is left alone: how its attempt ends decides. */
export function holdPending(db: Db, options: { endpointId: string; batches?: number }): Promise<void> {
  return holdInBatches(db, { ...options, free: sql`lease_owner is null` })
}

/**
 * Holds what is still pending for disabled endpoints: more than was held at once, published while the endpoint was being disabled, or
 * left by a worker that died.
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
  // Later batches begin where the last one ended, instead of passing over what it has held.
  let dueFrom = new Date(0)
  for (let batch = 0; batch < batches; batch++) {
    const { count, dueUpTo } = await holdBatch(db, { ...options, dueFrom })
    if (count < batchCount) return
    dueFrom = dueUpTo!
  }
}

async function holdBatch(
  db: Db,
  options: { endpointId: string; free: RawBuilder<unknown>; dueFrom: Date },
): Promise<{ count: number; dueUpTo: Date | null }> {
  const { rows } = await sql<{ count: number; dueUpTo: Date | null }>`
    with endpoint as materialized (
      select id from webhook_endpoints where id = ${options.endpointId} and state = 'disabled' for share),
    pending as materialized (
      select delivery.*
      from endpoint cross join lateral (
        select id, next_attempt_at
        from webhook_deliveries
        where endpoint_id = endpoint.id and state = 'pending' and not is_test and ${options.free}
          and next_attempt_at >= ${options.dueFrom}
        order by next_attempt_at
        limit ${batchCount}
        for update skip locked) as delivery),
    held as (
      update webhook_deliveries as delivery
      set state = 'held', held_at = ${storeNow}, next_attempt_at = null, lease_owner = null, lease_expires_at = null
      from pending
      where delivery.id = pending.id)
    select count(*)::integer as count, max(next_attempt_at) as "dueUpTo" from pending`.execute(db)
  return rows[0]!
}
