import { expect, test } from 'vitest'
import { describeTimeLeft } from './describe-time-left.ts'

test.each([
  ['2026-01-31T00:00:00Z', '30 days left'],
  ['2026-01-30T23:59:59Z', '30 days left'],
  ['2026-01-02T11:00:00Z', '1 day left'],
  ['2026-01-01T23:59:00Z', 'less than a day left'],
  ['2025-12-31T00:00:00Z', 'less than a day left'],
])('an item removed at %s has %s', (removedAt, expected) => {
  expect(describeTimeLeft(removedAt, Date.parse('2026-01-01T00:00:00Z'))).toBe(expected)
})
