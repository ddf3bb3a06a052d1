import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Releases deliveries before their leases expire, so that another worker can claim them at once. */
export async function releaseDeliveries(db: Db, deliveries: { id: string; leaseNumber: number }[]): Promise<void> {
  await sql`
    update webhook_deliveries as delivery
    set lease_owner = null, lease_expires_at = null
    from unnest(
      ${deliveries.map(({ id }) => id)}::text[],
      ${deliveries.map(({ leaseNumber }) => leaseNumber)}::integer[]
    ) as released (id, lease_number)
    where delivery.id = released.id and delivery.lease_number = released.lease_number`.execute(db)
}
