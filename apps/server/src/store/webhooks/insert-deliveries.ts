import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

/** Adds deliveries of existing events, due now. */
export async function insertDeliveries(
  tx: Tx,
  options: {
    endpointId: string
    deliveries: { id: string; eventId: string }[]
    isTest: boolean
    requestedBy: string
    now: Date
  },
): Promise<void> {
  const { endpointId, deliveries, isTest, requestedBy, now } = options
  await sql`${wakes('deliveries')}
    insert into webhook_deliveries
      (id, event_id, endpoint_id, state, is_test, requested_by, created_at, next_attempt_at)
    select id, event_id, ${endpointId}::text, 'pending', ${isTest}::boolean, ${requestedBy}::text,
      ${now}::timestamptz, ${storeNow}
    from unnest(
      ${deliveries.map(({ id }) => id)}::text[],
      ${deliveries.map(({ eventId }) => eventId)}::text[]
    ) as new (id, event_id)`.execute(tx)
}
