import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

/** Makes what is held due now; attempts already made stay counted. What is about to leave the log is not begun again. */
export async function releaseHeld(
  tx: Tx,
  options: { endpointId: string; createdAfter: Date; now: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`${wakes('deliveries')}
    update webhook_deliveries
    set state = 'pending', held_at = null, next_attempt_at = ${storeNow}
    where endpoint_id = ${options.endpointId} and state = 'held' and created_at > ${options.createdAfter}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}
