import type { KeyUse } from '../../api/audit-log.ts'

export type DayOfUse = KeyUse['days'][number]

const dayMs = 24 * 3600_000

/** Every day of the period, also those on which nothing happened. */
export function everyDay(used: DayOfUse[], { from, days }: { from: string; days: number }): DayOfUse[] {
  const byDay = new Map(used.map((each) => [each.day, each]))
  return Array.from({ length: days }, (_, at) => {
    const day = new Date(Date.parse(from) + at * dayMs).toISOString().slice(0, 10)
    return byDay.get(day) ?? { day, requestCount: 0, refusedCount: 0, failedCount: 0 }
  })
}

/** What became of requests, in words; what went well needs no saying. */
export function countWords({ requestCount, refusedCount, failedCount }: Omit<DayOfUse, 'day'>): string {
  const parts = [
    `${requestCount.toLocaleString('en')} ${requestCount === 1 ? 'request' : 'requests'}`,
    refusedCount > 0 && `${refusedCount.toLocaleString('en')} refused`,
    failedCount > 0 && `${failedCount.toLocaleString('en')} failed`,
  ]
  return parts.filter(Boolean).join(', ')
}
