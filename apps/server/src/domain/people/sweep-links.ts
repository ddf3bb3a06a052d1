import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'

/** For so long whoever opens an old link is told what became of it, and admins see invitations that nobody took. */
const keptMs = 30 * 24 * 3600_000

/** Links and invitations that nobody asks about any more. */
export async function sweepLinks(deps: { db: Db; clock: Clock }): Promise<void> {
  const expiredBefore = new Date(deps.clock.now().getTime() - keptMs)
  await deps.db.deleteFrom('person_links').where('expires_at', '<', expiredBefore).execute()
  await deps.db.deleteFrom('invitations').where('expires_at', '<', expiredBefore).execute()
}
