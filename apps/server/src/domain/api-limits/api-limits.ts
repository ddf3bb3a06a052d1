import type { Clock } from '../../ports/clock.ts'
import { type ApiBudget, removeFullApiBudgets, takeApiTokens, type TakenToken } from '../../store/api-limits/api-budgets.ts'
import type { Db } from '../../store/db.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'
import { missingTokens } from '../token-bucket.ts'

/** Requests a minute; null for no limit. A key that has been idle for a minute may send them all at once. */
export interface ApiLimits {
  perKey: number | null
  perOrganization: number | null
}

export const noApiLimits: ApiLimits = { perKey: null, perOrganization: null }

/** What is left of the tighter limit. */
export interface ApiAllowance {
  limit: number
  remaining: number
  /** Until the limit is whole again. */
  resetMs: number
  /** Until a request is accepted; 0 if this one is. */
  waitMs: number
}

const minuteMs = 60_000

/** Undefined if there is no limit. */
export function makeApiLimiter(deps: { db: Db; clock: Clock }, { perKey, perOrganization }: ApiLimits) {
  if (perKey === null && perOrganization === null) return undefined
  return async ({ keyId, organizationId }: { keyId: string; organizationId: string }): Promise<ApiAllowance> => {
    const budgets = [
      ...(perKey === null ? [] : [{ key: keyId, burst: perKey, regainMs: minuteMs / perKey }]),
      ...(perOrganization === null ? [] : [{ key: organizationId, burst: perOrganization, regainMs: minuteMs / perOrganization }]),
    ]
    const now = deps.clock.now()
    return judgeAllowance(budgets, await takeApiTokens(deps.db, budgets, now), now)
  }
}

/** The tokens are in the order of their budgets. */
export function judgeAllowance(budgets: readonly ApiBudget[], tokens: readonly TakenToken[], now: Date): ApiAllowance {
  const judged = budgets.map(({ burst, regainMs }, index) => {
    const { isTaken, fullAt } = tokens[index]!
    const resetMs = Math.max(0, fullAt.getTime() - now.getTime())
    return {
      limit: burst,
      remaining: isTaken ? Math.max(0, burst - missingTokens({ burst, regainMs }, fullAt.getTime(), now.getTime())) : 0,
      resetMs,
      waitMs: isTaken ? 0 : Math.max(1, Math.ceil(resetMs + regainMs - burst * regainMs)),
    }
  })
  return judged.toSorted((a, b) => b.waitMs - a.waitMs || a.remaining - b.remaining)[0]!
}

export const apiBudgetSweep = (deps: { db: Db; clock: Clock }): Sweep =>
  sweepOf('api_budgets', (batchSize) => removeFullApiBudgets(deps.db, { now: deps.clock.now(), batchSize }))
