import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import {
  removeDeletedEndpoints,
  removeDeliveriesOfDeletedEndpoints,
  removeOldDeliveries,
  removeOldEvents,
} from '../../store/webhooks/sweep.ts'
import { deletedEndpointKeptMs, deliveryKeptAtMostMs, deliveryKeptMs, eventKeptMs, heldKeptMs } from './retention.ts'

const portion = 1000
/** What is left after so many comes with the next sweep: whoever stops the service does not wait for a million rows. */
const portionsMax = 100

/** Removes the log of deleted endpoints, then their rows, and what is past its time of all the others. */
export async function sweepWebhooks(deps: { db: Db; clock: Clock }): Promise<void> {
  const { db } = deps
  const now = deps.clock.now().getTime()
  const ago = (ms: number) => new Date(now - ms)
  await inPortions(() => removeDeliveriesOfDeletedEndpoints(db, { portion }))
  await inPortions(() => removeDeletedEndpoints(db, { deletedBefore: ago(deletedEndpointKeptMs), portion }))
  await inPortions(() =>
    removeOldDeliveries(db, {
      createdBefore: ago(deliveryKeptMs),
      heldBefore: ago(heldKeptMs),
      createdBeforeAll: ago(deliveryKeptAtMostMs),
      portion,
    }),
  )
  await inPortions(() => removeOldEvents(db, { createdBefore: ago(eventKeptMs), portion }))
}

async function inPortions(remove: () => Promise<number>): Promise<void> {
  for (let done = 0; done < portionsMax; done += 1) if ((await remove()) < portion) return
}
