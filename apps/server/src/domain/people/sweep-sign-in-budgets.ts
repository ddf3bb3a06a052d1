import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { deleteFullSignInBudgets } from '../../store/people/sign-in-budgets.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'

/** Full budgets carry no information; this only frees their space. */
export function signInBudgetSweep(deps: { db: Db; clock: Clock }): Sweep {
  const now = deps.clock.now()
  return sweepOf('sign_in_budgets', (portion) => deleteFullSignInBudgets(deps.db, { now, portion }))
}
