import { decideDelivery, deliveryWaitsMs } from '@querypost/server/background-work'
import type { BrokenEngine } from './broken-engine.ts'

/** Applies jitter in both directions, so that some retries come too early. */
export const retriesTooEarly: BrokenEngine = {
  name: 'retries too early',
  noticedBy: [2],
  spoil: (deps) => ({ ...deps, decide: (options) => decideDelivery({ ...options, jitter: options.jitter * 2 - 1 }) }),
}

/** Continues after the eighth failure. */
export const nineAttempts: BrokenEngine = {
  name: 'nine attempts',
  noticedBy: [2],
  spoil: (deps) => ({
    ...deps,
    decide(options) {
      const decision = decideDelivery(options)
      if (decision.state !== 'exhausted' || options.attemptNumber > 8) return decision
      return { state: 'pending', waitMs: deliveryWaitsMs[6] }
    },
  }),
}

/** Does not retry client errors, although the contract requires it. */
export const givesUpEarly: BrokenEngine = {
  name: 'gives up early',
  noticedBy: [1],
  spoil: (deps) => ({
    ...deps,
    decide: (options) => (options.attemptNumber === 3 && !options.isSuccess ? { state: 'exhausted' } : decideDelivery(options)),
  }),
}
