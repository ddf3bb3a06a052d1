import type { Db } from '../db.ts'
import { storeNow } from '../store-now.ts'

/** Expires all leases, so that nothing waits for them. Only call this if no other process uses the store. */
export async function expireDeliveryLeases(db: Db): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ lease_expires_at: storeNow })
    .where('state', '=', 'pending')
    .where('lease_expires_at', '>', storeNow)
    .execute()
}
