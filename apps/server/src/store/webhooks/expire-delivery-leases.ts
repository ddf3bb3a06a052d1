import type { Db } from '../db.ts'
import { storeNow } from '../store-now.ts'

/** Ends all leases, so that nobody waits for them. Only for who knows that no other process is at work on the store. */
export async function expireDeliveryLeases(db: Db): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ lease_expires_at: storeNow })
    .where('state', '=', 'pending')
    .where('lease_expires_at', '>', storeNow)
    .execute()
}
