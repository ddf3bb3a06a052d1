import type { Db } from '../db.ts'

/** Ends all leases, so that nobody waits for them. Only for who knows that no other process is at work on the store. */
export async function expireDeliveryLeases(db: Db, options: { now: Date }): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ lease_expires_at: options.now })
    .where('state', '=', 'pending')
    .where('lease_expires_at', '>', options.now)
    .execute()
}
