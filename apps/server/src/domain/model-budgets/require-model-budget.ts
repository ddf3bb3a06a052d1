import type { Caller } from '../../model/caller.ts'
import type { Db, Tx } from '../../store/db.ts'
import { readSpent } from '../../store/model-budgets/read-spent.ts'
import { Refusal } from '../refusal.ts'
import { describeExhaustedLimit, findExhaustedLimit } from './exhausted-limit.ts'

/** Throws `model_budget_exhausted` if the organization or the person has reached a limit. */
export async function requireModelBudget(
  deps: { db: Db | Tx },
  caller: Pick<Caller, 'organizationId' | 'userId'>,
): Promise<void> {
  const budget = await readSpent(deps.db, { organizationId: caller.organizationId, userId: caller.userId })
  const exhausted = budget && findExhaustedLimit(budget)
  if (!exhausted) return
  throw new Refusal('model_budget_exhausted', describeExhaustedLimit(exhausted, budget.currency), undefined, {
    retryAfterMs: exhausted.resetsAt.getTime() - budget.now.getTime(),
  })
}
