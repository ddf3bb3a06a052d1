import { expect, test } from 'vitest'
import { describeRequests, fillDays } from './usage-days.ts'

test('fills in the days without requests', () => {
  const used = [{ day: '2026-01-04', requestCount: 5, refusedCount: 1, failedCount: 0 }]
  const days = fillDays(used, { from: '2026-01-03T00:00:00.000Z', days: 3 })
  expect(days.map(({ day, requestCount }) => [day, requestCount])).toEqual([
    ['2026-01-03', 0],
    ['2026-01-04', 5],
    ['2026-01-05', 0],
  ])
})

test('describes requests, and how many were rejected or failed', () => {
  expect(describeRequests({ requestCount: 1, refusedCount: 0, failedCount: 0 })).toBe('1 request')
  expect(describeRequests({ requestCount: 1200, refusedCount: 3, failedCount: 2 })).toBe('1,200 requests, 3 rejected, 2 failed')
})
