import type { Clock } from '../../../ports/clock.ts'
import { makeThrottle, type Throttle } from '../../throttle.ts'

/**
 * Bounds how often a person may have a URL looked at, since each look may ask DNS for a name of the person's choice: more than anybody
 * types, too few to search a network by. Its keys are the ids of users.
 */
export const makeUrlCheckThrottle = ({ clock }: { clock: Clock }): Throttle =>
  makeThrottle({
    clock,
    bucket: { burst: 40, regainMs: 1000 },
    message: 'You have had many URLs looked at. Wait a second; saving checks it in any case.',
  })
