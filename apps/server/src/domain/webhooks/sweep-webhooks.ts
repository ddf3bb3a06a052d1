import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import {
  removeDeletedEndpoints,
  removeDeliveriesOfDeletedEndpoints,
  removeOldDeliveries,
  removeOldDeliveriesOfEndpoints,
} from '../../store/webhooks/remove-old-deliveries.ts'
import { firstOrderedId } from '../ids.ts'
import { sweepOfPartitions } from '../partitions/sweep-partitions.ts'
import { batchRows, type Sweep, sweepOf } from '../sweep-step.ts'
import { deletedEndpointKeptMs, deliveryKeptAtMostMs, deliveryKeptMs, eventKeptMs, heldKeptMs } from './webhook-retention.ts'

const idSlackMs = 60_000

/** Removes the logs of deleted endpoints, then their rows, and everything past its retention. */
export function webhookSweeps(deps: { db: Db; clock: Clock }): Sweep[] {
  const { db } = deps
  const now = deps.clock.now().getTime()
  const ago = (ms: number) => new Date(now - ms)
  const old = { createdBefore: ago(deliveryKeptMs), heldBefore: ago(heldKeptMs), createdBeforeAll: ago(deliveryKeptAtMostMs), pendingBefore: ago(eventKeptMs) }
  // An id is made some milliseconds before or after the time that its delivery names.
  const idBefore = firstOrderedId('dlv', now - deliveryKeptMs + idSlackMs)
  return [
    sweepOf('webhook_deliveries', (portion) => removeDeliveriesOfDeletedEndpoints(db, { portion })),
    sweepOf('webhook_endpoints', (portion) =>
      removeDeletedEndpoints(db, { deletedBefore: ago(deletedEndpointKeptMs), portion }),
    ),
    sweepOf('webhook_deliveries', (portion) => removeOldDeliveries(db, { ...old, idBefore, portion })),
    {
      kind: 'webhook_deliveries',
      removeBatch: () => removeOldDeliveriesOfEndpoints(db, { ...old, portion: batchRows, now: deps.clock.now() }),
    },
    sweepOfPartitions(deps, { table: 'webhook_events', kind: 'webhook_events', keptMs: eventKeptMs }),
  ]
}
