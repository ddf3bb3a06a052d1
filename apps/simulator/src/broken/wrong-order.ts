import { earlierOf, soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** Sends the events of a key in any order. */
export const orderIgnored: BrokenEngine = {
  name: 'order ignored',
  noticedBy: [8],
  rules: { ...soundRules, isBlocked: () => false },
}

/** Takes the delivery of a key that is due first, which a retry is not. */
export const orderedByDueTime: BrokenEngine = {
  name: 'ordered by due time',
  noticedBy: [8],
  rules: {
    ...soundRules,
    isBlocked: (rows, delivery) => earlierOf(rows, delivery).some(({ nextAttemptAt }) => nextAttemptAt! <= delivery.nextAttemptAt!),
  },
}

/** Forgets the order once an event has failed, so that the next one passes it. */
export const retryLetsTheNextPass: BrokenEngine = {
  name: 'retry lets the next one pass',
  noticedBy: [8],
  rules: { ...soundRules, isBlocked: (rows, delivery) => earlierOf(rows, delivery).some(({ attemptCount }) => attemptCount === 0) },
}

/** Considers an event done when it has been claimed, before its end is recorded. */
export const nextBeforeTheEnd: BrokenEngine = {
  name: 'next one sent before the end is recorded',
  noticedBy: [8],
  rules: { ...soundRules, isBlocked: (rows, delivery) => earlierOf(rows, delivery).some(({ leaseOwner }) => leaseOwner === null) },
}

/** Never goes on after an event that was given up. */
export const givenUpBlocks: BrokenEngine = {
  name: 'an event that was given up blocks its key',
  noticedBy: [1, 7],
  rules: {
    ...soundRules,
    isBlocked: (rows, delivery) =>
      soundRules.isBlocked(rows, delivery) ||
      (delivery.orderKey !== null &&
        [...rows.deliveries.values()].some(
          ({ state, endpointId, orderKey, orderNumber }) =>
            state === 'exhausted' &&
            endpointId === delivery.endpointId &&
            orderKey === delivery.orderKey &&
            orderNumber! < delivery.orderNumber!,
        )),
  },
}
