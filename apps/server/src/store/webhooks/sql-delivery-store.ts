import type { AttemptRecord } from '../../model/claimed-delivery.ts'
import type { Clock } from '../../ports/clock.ts'
import { makeClaimFloor } from '../claim-floor.ts'
import type { Db, Tx } from '../db.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import type { DeliveryStore } from './delivery-store.ts'
import { batchesAtOnce, holdLeftovers, holdPending } from './hold-deliveries.ts'
import { recordAttempts } from './record-attempts.ts'
import { releaseDeliveries } from './release-deliveries.ts'

export interface SqlDeliveryStoreDeps {
  db: Db
  clock: Clock
  /** Records a final attempt and updates its endpoint's failure state, in the given transaction. */
  recordExhausted(tx: Tx, record: AttemptRecord): Promise<{ isRecorded: boolean; isDisabledNow: boolean }>
}

/** The delivery store in SQL. The domain decides what an exhausted delivery does to its endpoint. */
export function makeSqlDeliveryStore(deps: SqlDeliveryStoreDeps): DeliveryStore {
  const { db } = deps
  const floor = makeClaimFloor({ clock: deps.clock, fullEveryMs: { atLeast: 2_000, atMost: 60_000 } })
  return {
    async claim(options) {
      const { earliestDueAt, claimedAt, ...claim } = await claimDeliveries(db, { ...options, dueFrom: floor.dueFrom(options) })
      floor.note({ ...claim, earliestDueAt, claimedAt })
      return claim
    },
    async record(records) {
      const exhausted = records.filter(({ decision }) => decision.state === 'exhausted')
      const others = records.filter(({ decision }) => decision.state !== 'exhausted')
      const recorded = new Set(others.length > 0 ? await recordAttempts(db, others) : [])
      // These are rare, and each may disable the endpoint, so they are recorded one by one in order.
      for (const record of exhausted) {
        const { isRecorded, isDisabledNow } = await db.transaction().execute((tx) => deps.recordExhausted(tx, record))
        if (isRecorded) recorded.add(record.deliveryId)
        if (isDisabledNow) await tryHoldPending(db, record)
      }
      return { recorded }
    },
    release: (deliveries) => releaseDeliveries(db, deliveries),
    holdLeftovers: () => holdLeftovers(db),
  }
}

/** The attempt is already recorded, so errors are ignored here; `holdLeftovers` holds the rest. */
async function tryHoldPending(db: Db, { endpointId }: AttemptRecord): Promise<void> {
  await holdPending(db, { endpointId, batches: batchesAtOnce }).catch(() => {})
}
