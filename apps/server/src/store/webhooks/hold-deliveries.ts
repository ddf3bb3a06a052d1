import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'

/**
 * Holds what is pending for an endpoint that has just been disabled. What is being sent is left alone: how its attempt ends
 * decides.
 */
export async function holdPending(tx: Tx, options: { endpointId: string; now: Date }): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'held', held_at: options.now, next_attempt_at: null })
    .where('endpoint_id', '=', options.endpointId)
    .where('state', '=', 'pending')
    .where('lease_owner', 'is', null)
    .where('is_test', '=', false)
    .execute()
}

/**
 * Holds what is still pending for disabled endpoints: published while the endpoint was being disabled, or left by a worker that died.
 */
export async function holdLeftovers(db: Db): Promise<void> {
  await sql`
    update webhook_deliveries as delivery
    set state = 'held', held_at = ${storeNow}, next_attempt_at = null, lease_owner = null, lease_expires_at = null
    from webhook_endpoints as endpoint
    where endpoint.id = delivery.endpoint_id and endpoint.state = 'disabled'
      and delivery.state = 'pending' and not delivery.is_test
      and (delivery.lease_expires_at is null or delivery.lease_expires_at <= ${storeNow})`.execute(db)
}
