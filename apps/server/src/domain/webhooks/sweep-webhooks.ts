import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import {
  removeDeletedEndpoints,
  removeDeliveriesOfDeletedEndpoints,
  removeOldDeliveries,
} from '../../store/webhooks/remove-old-deliveries.ts'
import { sweepOfPartitions } from '../partitions/sweep-partitions.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'
import { deletedEndpointKeptMs, deliveryKeptAtMostMs, deliveryKeptMs, eventKeptMs, heldKeptMs } from './webhook-retention.ts'

/** Removes the logs of deleted endpoints, then their rows, and everything past its retention. */
export function webhookSweeps(deps: { db: Db; clock: Clock }): Sweep[] {
  const { db } = deps
  const now = deps.clock.now().getTime()
  const ago = (ms: number) => new Date(now - ms)
  return [
    sweepOf('webhook_deliveries', (portion) => removeDeliveriesOfDeletedEndpoints(db, { portion })),
    sweepOf('webhook_endpoints', (portion) =>
      removeDeletedEndpoints(db, { deletedBefore: ago(deletedEndpointKeptMs), portion }),
    ),
    sweepOf('webhook_deliveries', (portion) =>
      removeOldDeliveries(db, {
        createdBefore: ago(deliveryKeptMs),
        heldBefore: ago(heldKeptMs),
        createdBeforeAll: ago(deliveryKeptAtMostMs),
        portion,
      }),
    ),
    sweepOfPartitions(deps, { table: 'webhook_events', kind: 'webhook_events', keptMs: eventKeptMs }),
  ]
}
