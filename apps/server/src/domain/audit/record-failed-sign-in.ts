import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { countRecordsOf } from '../../store/audit/count-records-of.ts'
import type { Db } from '../../store/db.ts'
import type { Origin } from '../../model/caller.ts'
import { recordForAccount } from './record-action.ts'

/** Keeps someone guessing passwords from filling the log. Ten records show that it happens, and from where. */
const recordsPerHourMax = 10
const hourMs = 3600_000

/** A wrong password for an existing account. The person who entered it is unknown, and may not be the owner. */
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
    await recordForAccount({ ...deps, tx }, by, { action, user: { id: user.id, name: user.email } })
  })
}
