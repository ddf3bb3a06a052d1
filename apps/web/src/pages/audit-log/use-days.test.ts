import { expect, test } from 'vitest'
import { countWords, everyDay } from './use-days.ts'

test('every day of the period is there, also those on which nothing happened', () => {
  const used = [{ day: '2026-01-04', requestCount: 5, refusedCount: 1, failedCount: 0 }]
  const days = everyDay(used, { from: '2026-01-03T00:00:00.000Z', days: 3 })
  expect(days.map(({ day, requestCount }) => [day, requestCount])).toEqual([
    ['2026-01-03', 0],
    ['2026-01-04', 5],
    ['2026-01-05', 0],
  ])
})

test('counts are said in words, and what went wrong with them', () => {
  expect(countWords({ requestCount: 1, refusedCount: 0, failedCount: 0 })).toBe('1 request')
  expect(countWords({ requestCount: 1200, refusedCount: 3, failedCount: 2 })).toBe('1,200 requests, 3 refused, 2 failed')
})
