import type { Clock } from '../../ports/clock.ts'
import { makeThrottle, type Throttle } from '../throttle.ts'

/**
 * Bounds how often a person may have connections made to places of their choice: more than anybody fills in a form, too few to search a
 * network by. Its keys are the ids of users.
 */
export const makeConnectionThrottle = ({ clock }: { clock: Clock }): Throttle =>
  makeThrottle({
    clock,
    bucket: { burst: 20, regainMs: 3000 },
    message: 'You have tried many connections. Wait a few seconds, then try again.',
  })
