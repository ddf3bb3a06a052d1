import type { LimitPeriod, ModelLimit, SpentAmount } from '../../model/model-budget.ts'

export interface ExhaustedLimit {
  limit: ModelLimit
  resetsAt: Date
}

/** The limit that has been reached; of several, the one that resets last. Undefined if the model may be used. */
export function findExhaustedLimit(options: {
  limits: ModelLimit[]
  spent: SpentAmount[]
  now: Date
}): ExhaustedLimit | undefined {
  const { limits, spent, now } = options
  const exhausted = limits
    .filter((limit) => {
      const used = spent.find(({ scope, period }) => scope === limit.scope && period === limit.period)
      return (used?.[limit.unit] ?? 0) >= limit.amount
    })
    .map((limit) => ({ limit, resetsAt: endOf(limit.period, now) }))
  return exhausted.toSorted((a, b) => b.resetsAt.getTime() - a.resetsAt.getTime())[0]
}

/** Midnight UTC after the day or the month. */
function endOf(period: LimitPeriod, now: Date): Date {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return new Date(period === 'day' ? Date.UTC(year, month, now.getUTCDate() + 1) : Date.UTC(year, month + 1, 1))
}

/** For people: which limit is reached and what to do. */
export function describeExhaustedLimit({ limit, resetsAt }: ExhaustedLimit, currency: string | null): string {
  const amount =
    limit.unit === 'tokens'
      ? `${limit.amount.toLocaleString('en-US')} ${limit.amount === 1 ? 'token' : 'tokens'}`
      : `${limit.amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })} ${currency}`
  const whose = limit.scope === 'organization' ? 'for the organization' : 'per person'
  const resets = `${resetsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return (
    `The ${limit.period === 'day' ? 'daily' : 'monthly'} limit of ${amount} ${whose} is reached. ` +
    `It resets at ${resets}. An admin can raise it in the agent settings.`
  )
}
