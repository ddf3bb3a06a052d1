import type { Clock } from '../../ports/clock.ts'
import { makeThrottle, type Throttle } from '../throttle.ts'

/** How many questions a Slack workspace may ask. Slack repeats an event that is refused, so a short burst is only delayed. */
export const makeSlackQuestionThrottle = ({ clock }: { clock: Clock }): Throttle =>
  makeThrottle({
    clock,
    bucket: { burst: 60, regainMs: 1_000 },
    message: 'This workspace asks too many questions. Wait a second.',
  })
