import { expect, test } from 'vitest'
import { conditionOf, counted, heldWords, milliseconds, percent, successRate } from './health-words.ts'

test('what failed and will be tried again has not arrived', () => {
  expect(successRate({ delivered: 0, retrying: 0, exhausted: 0 })).toBeNull()
  expect(successRate({ delivered: 3, retrying: 1, exhausted: 0 })).toBe(0.75)
  expect(successRate({ delivered: 0, retrying: 2, exhausted: 1 })).toBe(0)
})

test('nothing is rounded up to the whole', () => {
  expect([1, 0.9996, 0.985, 0.5, 0].map(percent)).toEqual(['100 %', '99.9 %', '98.5 %', '50 %', '0 %'])
  expect([null, 1, 0.99, 0.98, 0.89].map(conditionOf)).toEqual(['none', 'good', 'good', 'warning', 'danger'])
})

test('counts and durations are words', () => {
  expect([0.2, 12.4, 999, 1234, 10_400].map(milliseconds)).toEqual(['< 1 ms', '12 ms', '999 ms', '1.2 s', '10 s'])
  expect([counted(1, 'event'), counted(1420, 'event'), counted(2, 'delivery', 'deliveries')]).toEqual([
    '1 event',
    '1,420 events',
    '2 deliveries',
  ])
  expect([heldWords(999), heldWords(1000)]).toEqual(['999', '1,000 or more'])
})
