import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { countRecordsOf } from '../../store/audit/count-records-of.ts'
import type { Db } from '../../store/db.ts'
import type { Origin } from '../../model/caller.ts'
import { recordOfAccount } from './record-action.ts'

/** Whoever guesses for a night does not fill the log: it tells that somebody does, and from where. */
const recordsPerHourMax = 10
const hourMs = 3600_000

/** A wrong password for an account that there is. Nobody knows who gave it, least of all that it was its owner. */
export async function recordFailedSignIn(
  deps: { db: Db; clock: Clock; random: Random },
  input: { user: { id: string; email: string }; origin: Origin | undefined },
): Promise<void> {
  const { user, origin } = input
  const action = 'session.failed'
  await deps.db.transaction().execute(async (tx) => {
    const occurredAfter = new Date(deps.clock.now().getTime() - hourMs)
    const count = await countRecordsOf(tx, { action, subjectId: user.id, occurredAfter, countMax: recordsPerHourMax })
    if (count >= recordsPerHourMax) return
    const by = { kind: 'anonymous', origin } as const
    await recordOfAccount({ ...deps, tx }, by, { action, user: { id: user.id, name: user.email } })
  })
}
