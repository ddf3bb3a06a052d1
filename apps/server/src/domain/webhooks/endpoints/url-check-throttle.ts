import type { Clock } from '../../../ports/clock.ts'
import { makeThrottle, type Throttle } from '../../throttle.ts'

/**
 * Limits how often a person may check a URL, since each check may resolve a name of the person's choice: more often than anyone
 * types, too rarely to scan a network. Keyed by user id.
 */
export const makeUrlCheckThrottle = ({ clock }: { clock: Clock }): Throttle =>
  makeThrottle({
    clock,
    bucket: { burst: 40, regainMs: 1000 },
    message: 'You have checked many URLs. Wait a second; the URL is also checked when you save.',
  })
