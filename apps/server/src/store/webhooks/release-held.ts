import { sql } from 'kysely'
import type { ItemKey } from '../../model/page.ts'
import type { Db, Tx } from '../db.ts'
import { exactText } from '../snapshot.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

/** Selects an endpoint's held deliveries, except those about to be removed from the log, which are not sent any more. */
export interface HeldRead {
  endpointId: string
  createdAfter: Date
}

const batchCount = 1000

export async function countHeld(tx: Tx, { endpointId, createdAfter }: HeldRead): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from webhook_deliveries
    where endpoint_id = ${endpointId} and state = 'held' and created_at > ${createdAfter}`.execute(tx)
  return rows[0]!.count
}

/**
 * Makes held deliveries due now, oldest first; attempts already made still count. Returns the number of deliveries.
 *
 * Each batch is its own transaction, so that nothing waits for more than one of them. If the process dies in between, the rest stays
 * held and can be released later. A batch blocks disabling the endpoint until it is done. If the endpoint is disabled in between,
 * nothing more is released.
 *
 * While the endpoint `is_releasing`, deliveries keep their place in the order of their key. Otherwise later events may have been sent, and
 * they are sent outside the order.
 */
export async function releaseHeld(db: Db | Tx, options: HeldRead & { batches?: number }): Promise<number> {
  let released = 0
  let after: ItemKey = { createdAt: options.createdAfter.toISOString(), id: '' }
  for (let batch = 0; batch < (options.batches ?? Number.POSITIVE_INFINITY); batch++) {
    const { count, last } = await releaseBatch(db, { ...options, after })
    released += count
    if (count < batchCount) break
    after = last!
  }
  return released
}

async function releaseBatch(
  db: Db | Tx,
  options: { endpointId: string; createdAfter: Date; after: ItemKey },
): Promise<{ count: number; last: ItemKey | null }> {
  const { after } = options
  const { rows } = await sql<{ count: number; last: ItemKey | null }>`${wakes('deliveries')}
    with endpoint as materialized (
      select id, is_releasing from webhook_endpoints
      where id = ${options.endpointId} and state = 'enabled' and deleted_at is null for share),
    held as materialized (
      select delivery.*
      from endpoint cross join lateral (
        select id, created_at, endpoint.is_releasing
        from webhook_deliveries
        where endpoint_id = endpoint.id and state = 'held' and created_at > ${options.createdAfter}
          and (created_at, id) > (${after.createdAt}::timestamptz, ${after.id})
        order by created_at, id
        limit ${batchCount}
        for update skip locked) as delivery),
    released as (
      update webhook_deliveries as delivery
      set state = 'pending', held_at = null, next_attempt_at = ${storeNow},
        order_key = case when held.is_releasing then order_key end
      from held
      where delivery.id = held.id)
    select count(*)::integer as count,
      (select jsonb_build_object('createdAt', ${exactText(sql`created_at`)}, 'id', id)
       from held order by created_at desc, id desc limit 1) as last
    from held`.execute(db)
  return rows[0]!
}
