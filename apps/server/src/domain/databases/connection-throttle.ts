import type { Clock } from '../../ports/clock.ts'
import { makeThrottle, type Throttle } from '../throttle.ts'

/**
 * Limits how often a person may connect to servers of their choice: more often than anyone submits a form, too rarely to scan a
 * network. Keyed by user id.
 */
export const makeConnectionThrottle = ({ clock }: { clock: Clock }): Throttle =>
  makeThrottle({
    clock,
    bucket: { burst: 20, regainMs: 3000 },
    message: 'You have tried many connections. Wait a few seconds, then try again.',
  })
