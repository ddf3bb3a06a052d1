import { keptMs } from '../../model/kept-times.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { removeOldInvitations, removeOldLinks } from '../../store/people/remove-expired-sign-ins.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'

/** Links and invitations that are no longer needed. */
export function linkSweeps(deps: { db: Db; clock: Clock }): Sweep[] {
  const expiredBefore = new Date(deps.clock.now().getTime() - keptMs.links)
  return [
    sweepOf('links', (portion) => removeOldLinks(deps.db, { expiredBefore, portion })),
    sweepOf('links', (portion) => removeOldInvitations(deps.db, { expiredBefore, portion })),
  ]
}
