import type { DailyModelUse, ModelBudget, ModelUsageReport, ModelUseGroup } from '../../api/model-budget.ts'

const dayMs = 24 * 3600_000

/** Every day of the period, including days without use. */
export function fillDays(used: DailyModelUse[], { from, days }: { from: string; days: number }): DailyModelUse[] {
  const byDay = new Map(used.map((each) => [each.day, each]))
  return Array.from({ length: days }, (_, at) => {
    const day = new Date(Date.parse(from) + at * dayMs).toISOString().slice(0, 10)
    return byDay.get(day) ?? { day, inputTokens: 0, outputTokens: 0, requestCount: 0, cost: null }
  })
}

const formatTokens = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'token' : 'tokens'}`

export const tokensOf = ({ inputTokens, outputTokens }: Omit<ModelUseGroup, 'days'>) => inputTokens + outputTokens

/** For example “12,300 tokens, 0.42 EUR”. Without a price, only the tokens. */
export function describeUse(use: Omit<ModelUseGroup, 'days'>, currency: string | null): string {
  const tokens = formatTokens(tokensOf(use))
  return use.cost === null ? tokens : `${tokens}, ${formatMoney(use.cost, currency)}`
}

/** Small amounts keep enough digits to differ from zero. */
export function formatMoney(amount: number, currency: string | null): string {
  const digits = amount === 0 || amount >= 0.01 ? 2 : 4
  const number = amount.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return currency === null ? number : `${number} ${currency}`
}

export interface LimitProgress {
  label: string
  used: string
  limit: string
  /** At most 1. */
  fraction: number
}

const scopeLabels = { organization: 'Organization', person: 'You' }
const periodLabels = { day: 'today', month: 'this month' }

/** How much of each limit is used. Members see only their own limits. */
export function limitProgress({ limits, currency }: ModelBudget, spent: ModelUsageReport['spent']): LimitProgress[] {
  return limits.flatMap(({ scope, period, unit, amount }) => {
    const amounts = spent.find((each) => each.scope === scope && each.period === period)
    if (!amounts) return []
    const used = amounts[unit]
    const format = (value: number) => (unit === 'tokens' ? formatTokens(value) : formatMoney(value, currency))
    return [
      {
        label: `${scopeLabels[scope]}, ${periodLabels[period]}`,
        used: format(used),
        limit: format(amount),
        fraction: amount === 0 ? 1 : Math.min(1, used / amount),
      },
    ]
  })
}
