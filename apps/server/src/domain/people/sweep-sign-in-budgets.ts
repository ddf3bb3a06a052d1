import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { deleteFullSignInBudgets } from '../../store/people/sign-in-budgets.ts'

const portion = 1000
/** The rest is left to the next sweep. */
const portionsMax = 100

/** Full budgets say nothing; this only gives their room back. */
export async function sweepSignInBudgets(deps: { db: Db; clock: Clock }): Promise<void> {
  const now = deps.clock.now()
  for (let done = 0; done < portionsMax; done += 1) {
    if ((await deleteFullSignInBudgets(deps.db, { now, portion })) < portion) return
  }
}
