import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths, daysBetween, weekdayOf } from './calendar.ts'
import { canonicalDateRange, dayOf, isRelativeRange, previousPeriod, resolveDateRange } from './date-range.ts'

// A Monday.
const today = '2026-11-16'

describe('resolveDateRange', () => {
  it.each([
    ['today', '2026-11-16', '2026-11-16'],
    ['yesterday', '2026-11-15', '2026-11-15'],
    ['last 30 days', '2026-10-17', '2026-11-15'],
    ['last 1 day', '2026-11-15', '2026-11-15'],
    ['next 7 days', '2026-11-17', '2026-11-23'],
    ['last 2 weeks', '2026-11-02', '2026-11-15'],
    ['next 1 week', '2026-11-23', '2026-11-29'],
    ['last 3 months', '2026-08-01', '2026-10-31'],
    ['next 2 months', '2026-12-01', '2027-01-31'],
    ['last 4 quarters', '2025-10-01', '2026-09-30'],
    ['last 1 year', '2025-01-01', '2025-12-31'],
    ['this week', '2026-11-16', '2026-11-22'],
    ['this month', '2026-11-01', '2026-11-30'],
    ['this quarter', '2026-10-01', '2026-12-31'],
    ['this year', '2026-01-01', '2026-12-31'],
    ['this quarter to date', '2026-10-01', '2026-11-16'],
    ['this week to date', '2026-11-16', '2026-11-16'],
    ['previous week', '2026-11-09', '2026-11-15'],
    ['previous month', '2026-10-01', '2026-10-31'],
    ['previous quarter', '2026-07-01', '2026-09-30'],
    ['previous quarter to date', '2026-07-01', '2026-08-16'],
    ['previous year to date', '2025-01-01', '2025-11-16'],
    ['since 2026-11-01', '2026-11-01', '2026-11-16'],
    ['since 2027-01-01', '2027-01-01', '2027-01-01'],
    ['2024-02-01..2024-02-29', '2024-02-01', '2024-02-29'],
  ])('reads %s', (text, start, end) => {
    expect(resolveDateRange(text, today)).toEqual({ start, end })
  })

  it.each([
    ['2024-02-29', 'previous year to date', '2023-01-01', '2023-02-28'],
    ['2025-03-31', 'previous month to date', '2025-02-01', '2025-02-28'],
    ['2024-03-31', 'previous month to date', '2024-02-01', '2024-02-29'],
    ['2025-01-01', 'previous quarter', '2024-10-01', '2024-12-31'],
    // January 1, 2027 is in the last ISO week of 2026.
    ['2027-01-01', 'this week', '2026-12-28', '2027-01-03'],
    ['2026-11-15', 'this week', '2026-11-09', '2026-11-15'],
    ['0001-01-01', 'yesterday', undefined, undefined],
    ['9999-12-31', 'next 1 day', undefined, undefined],
  ])('on %s, reads %s', (day, text, start, end) => {
    expect(resolveDateRange(text, day)).toEqual(start === undefined ? undefined : { start, end })
  })
})

describe('canonicalDateRange', () => {
  it.each([
    [' Last  030 DAYS ', 'last 30 days'],
    ['last 1 days', 'last 1 day'],
    ['next 2 week', 'next 2 weeks'],
    ['This Month To Date', 'this month to date'],
    ['2024-01-01 .. 2024-01-01', '2024-01-01..2024-01-01'],
    ['since 2024-02-29', 'since 2024-02-29'],
  ])('writes %j as %s', (text, canonical) => {
    expect(canonicalDateRange(text)).toBe(canonical)
  })

  it.each([
    '', 'last days', 'last 0 days', 'last -1 days', 'last 1001 days', 'last 1.5 days', 'last 3 hours', 'this day', 'previous 3 months',
    'this month to', 'last 3 months to date', 'since', 'since yesterday', 'since 2023-02-29', '2024-01-01', '2024-01-01..',
    '2024-01-02..2024-01-01', '2024-01-01..2024-02-30', '2024-01-01..2024-01-02..2024-01-03', "today'; drop table x", 'tomorrow',
  ])('rejects %j', (text) => {
    expect(canonicalDateRange(text)).toBeUndefined()
    expect(resolveDateRange(text, today)).toBeUndefined()
    expect(previousPeriod(text, today)).toBeUndefined()
  })
})

describe('previousPeriod', () => {
  it.each([
    ['today', '2026-11-15', '2026-11-15'],
    ['last 30 days', '2026-09-17', '2026-10-16'],
    ['last 3 months', '2026-05-01', '2026-07-31'],
    ['this quarter', '2026-07-01', '2026-09-30'],
    ['this month to date', '2026-10-01', '2026-10-16'],
    ['previous month to date', '2026-09-01', '2026-09-16'],
    ['next 7 days', '2026-11-10', '2026-11-16'],
    ['since 2026-11-07', '2026-10-28', '2026-11-06'],
    ['2024-02-01..2024-02-29', '2024-01-01', '2024-01-31'],
    ['2024-01-01..2024-12-31', '2023-01-01', '2023-12-31'],
    ['2024-03-05..2024-03-06', '2024-03-03', '2024-03-04'],
    ['2024-03-01..2024-03-30', '2024-01-31', '2024-02-29'],
  ])('of %s', (text, start, end) => {
    expect(previousPeriod(text, today)).toEqual({ start, end })
  })
})

it('tells relative ranges from fixed ones', () => {
  expect(['last 2 days', 'since 2024-01-01', '2024-01-01..2024-01-02', 'x'].map(isRelativeRange)).toEqual([true, true, false, false])
})

describe('on every day', () => {
  const day = fc
    .date({ min: new Date('1600-01-01T00:00:00Z'), max: new Date('2400-12-31T00:00:00Z'), noInvalidDate: true })
    .map(dayOf)
  const unit = fc.constantFrom('week', 'month', 'quarter', 'year')
  const runs = { seed: 20261116, numRuns: 1000 }
  const range = (text: string, on: string) => resolveDateRange(text, on)!

  it('agrees with JavaScript’s calendar', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -400_000, max: 400_000 }), (date, count) => {
        const moment = new Date(Date.parse(date) + count * 86_400_000)
        expect(addDays(date, count)).toBe(dayOf(moment))
        expect(daysBetween(date, dayOf(moment))).toBe(count)
        expect(weekdayOf(date)).toBe((new Date(date).getUTCDay() + 6) % 7)
      }),
      runs,
    )
  })

  it('keeps the day of the month, or takes the last one', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -2000, max: 2000 }), (date, count) => {
        const shifted = addMonths(date, count)!
        const sameMonth = new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1 + count, 1))
        expect(shifted.slice(0, 7)).toBe(dayOf(sameMonth).slice(0, 7))
        const isLast = addDays(shifted, 1)!.endsWith('-01')
        expect(shifted.slice(8) === date.slice(8) || (isLast && shifted.slice(8) < date.slice(8))).toBe(true)
      }),
      runs,
    )
  })

  it('this unit contains today, and the previous and next ones adjoin it', () => {
    fc.assert(
      fc.property(day, unit, (date, name) => {
        const current = range(`this ${name}`, date)
        expect(current.start <= date && date <= current.end).toBe(true)
        expect(range(`this ${name} to date`, date)).toEqual({ start: current.start, end: date })
        const previous = range(`previous ${name}`, date)
        expect(addDays(previous.end, 1)).toBe(current.start)
        expect(range(`last 1 ${name}`, date)).toEqual(previous)
        expect(range(`next 1 ${name}`, date).start).toBe(addDays(current.end, 1))
        const toDate = range(`previous ${name} to date`, date)
        expect(toDate.start === previous.start && toDate.end <= previous.end).toBe(true)
        // A whole unit is the same range on each of its days.
        expect([range(`this ${name}`, current.start), range(`this ${name}`, current.end)]).toEqual([current, current])
      }),
      runs,
    )
  })

  it('the previous period ends the day before the range, unless it is to date', () => {
    const text = fc.oneof(
      fc.tuple(fc.constantFrom('last', 'next'), fc.integer({ min: 1, max: 50 }), fc.constantFrom('day', 'week', 'month', 'quarter', 'year'))
        .map(([side, count, name]) => `${side} ${count} ${name}s`),
      unit.map((name) => `this ${name}`),
      fc.tuple(day, fc.nat(1000)).map(([start, length]) => `${start}..${addDays(start, length)}`),
    )
    fc.assert(
      fc.property(day, text, (date, given) => {
        const current = range(given, date)
        const before = previousPeriod(given, date)!
        expect(current.start <= current.end && before.start <= before.end).toBe(true)
        expect(addDays(before.end, 1)).toBe(current.start)
        const difference = Math.abs(daysBetween(before.start, before.end) - daysBetween(current.start, current.end))
        expect(difference).toBeLessThanOrEqual(50)
        expect(canonicalDateRange(canonicalDateRange(given)!)).toBe(canonicalDateRange(given))
      }),
      runs,
    )
  })
})
