import type { KeyUse } from '../../api/audit-log.ts'

export type DayUsage = KeyUse['days'][number]

const dayMs = 24 * 3600_000

/** Every day of the period, including days without requests. */
export function fillDays(used: DayUsage[], { from, days }: { from: string; days: number }): DayUsage[] {
  const byDay = new Map(used.map((each) => [each.day, each]))
  return Array.from({ length: days }, (_, at) => {
    const day = new Date(Date.parse(from) + at * dayMs).toISOString().slice(0, 10)
    return byDay.get(day) ?? { day, requestCount: 0, refusedCount: 0, failedCount: 0 }
  })
}

/** How many requests there were, and how many of them were rejected or failed. */
export function describeRequests({ requestCount, refusedCount, failedCount }: Omit<DayUsage, 'day'>): string {
  const parts = [
    `${requestCount.toLocaleString('en')} ${requestCount === 1 ? 'request' : 'requests'}`,
    refusedCount > 0 && `${refusedCount.toLocaleString('en')} rejected`,
    failedCount > 0 && `${failedCount.toLocaleString('en')} failed`,
  ]
  return parts.filter(Boolean).join(', ')
}
