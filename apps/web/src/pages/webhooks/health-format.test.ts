import { expect, test } from 'vitest'
import { healthLevel, pluralize, formatHeldCount, formatMs, formatPercent, successRate } from './health-format.ts'

test('counts a delivery that is being retried as not delivered', () => {
  expect(successRate({ delivered: 0, retrying: 0, exhausted: 0 })).toBeNull()
  expect(successRate({ delivered: 3, retrying: 1, exhausted: 0 })).toBe(0.75)
  expect(successRate({ delivered: 0, retrying: 2, exhausted: 1 })).toBe(0)
})

test('never rounds up to 100%', () => {
  expect([1, 0.9996, 0.985, 0.5, 0].map(formatPercent)).toEqual(['100%', '99.9%', '98.5%', '50%', '0%'])
  expect([null, 1, 0.99, 0.98, 0.89].map(healthLevel)).toEqual(['none', 'good', 'good', 'warning', 'danger'])
})

test('formats counts and durations', () => {
  expect([0.2, 12.4, 999, 1234, 10_400].map(formatMs)).toEqual(['< 1 ms', '12 ms', '999 ms', '1.2 s', '10 s'])
  expect([pluralize(1, 'event'), pluralize(1420, 'event'), pluralize(2, 'delivery', 'deliveries')]).toEqual([
    '1 event',
    '1,420 events',
    '2 deliveries',
  ])
  expect([formatHeldCount(999), formatHeldCount(1000)]).toEqual(['999', '1,000 or more'])
})
