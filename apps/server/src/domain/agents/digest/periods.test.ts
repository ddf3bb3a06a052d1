import { expect, test } from 'vitest'
import { endOf, readTime, type Step, stepOf } from '@querypost/answers'
import { inPeriod, isComplete, periodName } from './periods.ts'

const ms = (text: string) => readTime(text)!

test.each<[string[], Step | undefined]>([
  [['2025-12-01', '2025-12-08', '2025-12-22'], 'week'],
  [['2025-12-01', '2025-12-02', '2025-12-09'], 'day'],
  [['2025-12-09'], 'day'],
  [['2025-11-01', '2025-12-01', '2026-02-01'], 'month'],
  [['2025-12-01'], 'month'],
  [['2025-01-01', '2025-04-01', '2025-10-01'], 'quarter'],
  [['2023-01-01', '2025-01-01'], 'year'],
  [['2023-07-01', '2024-07-01'], 'year'],
  [['2025-12-01T00:00:00.000Z', '2025-12-01T05:00:00.000Z'], 'hour'],
  [['2025-12-01T00:00:00.000Z', '2025-12-02T00:00:00.000Z'], 'day'],
  [['2025-12-01T00:17:00.000Z'], undefined],
])('periods that start at %s have the step %s', (beginnings, step) => {
  expect(stepOf(beginnings.map(ms))).toBe(step)
})

test.each<[string, Step, string]>([
  ['2025-12-01', 'month', '2026-01-01'],
  ['2024-02-01', 'month', '2024-03-01'],
  ['2025-10-01', 'quarter', '2026-01-01'],
  ['2024-01-01', 'year', '2025-01-01'],
  ['2025-12-29', 'week', '2026-01-05'],
  ['2025-12-31', 'day', '2026-01-01'],
  ['2025-12-31T23:00:00Z', 'hour', '2026-01-01'],
])('a period from %s with step %s ends at %s', (begin, step, end) => {
  expect(endOf(ms(begin), step)).toBe(ms(end))
})

test.each([
  ['it has ended', '2026-01-05T00:00:00Z', [], true],
  ['it has not ended', '2026-01-04T23:59:59Z', [], false],
  ['a date parameter falls inside it', '2026-02-01T00:00:00Z', ['2025-12-31'], false],
  ['the date parameters are its first and last day', '2026-02-01T00:00:00Z', ['2025-12-29', '2026-01-04'], true],
])('whether a week is complete when %s', (_, now, cutDates, expected) => {
  const world = { nowMs: ms(now), cutDates: cutDates.map(ms) }
  expect(isComplete({ beginMs: ms('2025-12-29'), step: 'week' }, world)).toBe(expected)
})

test('date parameters do not cut off days and hours', () => {
  const world = { nowMs: ms('2026-02-01'), cutDates: [ms('2025-12-29')] }
  expect(isComplete({ beginMs: ms('2025-12-29'), step: 'day' }, world)).toBe(true)
  expect(isComplete({ beginMs: ms('2025-12-28T23:00:00Z'), step: 'hour' }, world)).toBe(true)
})

test.each<[string, Step, string, string]>([
  ['2025-12-22', 'week', 'the week of 2025-12-22', 'in the week of 2025-12-22'],
  ['2025-12-01', 'month', 'December 2025', 'in December 2025'],
  ['2025-12-15', 'month', 'the month from 2025-12-15', 'in the month from 2025-12-15'],
  ['2025-10-01', 'quarter', 'the quarter from 2025-10-01', 'in the quarter from 2025-10-01'],
  ['2025-01-01', 'year', '2025', 'in 2025'],
  ['2025-07-01', 'year', 'the year from 2025-07-01', 'in the year from 2025-07-01'],
  ['2025-12-22T00:00:00.000Z', 'day', '2025-12-22', 'on 2025-12-22'],
  ['2025-12-22T07:00:00.000Z', 'hour', '2025-12-22 07:00 UTC', 'in the hour from 2025-12-22 07:00 UTC'],
])('%s of a %s is called %s', (begin, step, name, within) => {
  expect(periodName(begin, step)).toBe(name)
  expect(inPeriod(begin, step)).toBe(within)
})

test.each([['2025-13-45'], ['yesterday'], [12], [null], ['2025-12-22 07:00']])('%s is not a time', (value) => {
  expect(readTime(value)).toBeUndefined()
})
