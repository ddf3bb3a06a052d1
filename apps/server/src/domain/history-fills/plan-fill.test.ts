import { expect, test } from 'vitest'
import { dateParametersOf, daysToFill } from './plan-fill.ts'

test('fills the last days, newest first, without those that are there', () => {
  const now = new Date('2026-03-02T10:00:00Z')
  expect(daysToFill({ now, count: 4, filled: new Set(['2026-02-28']) })).toEqual(['2026-03-01', '2026-02-27', '2026-02-26'])
})

test('only dates and timestamps can be filled', () => {
  const of = (name: string, type: 'date' | 'timestamp' | 'text' | 'dateRange') => ({ name, type, displayName: name, defaultValue: '', description: '' })
  expect(dateParametersOf([of('day', 'date'), of('until', 'timestamp'), of('country', 'text'), of('range', 'dateRange')])).toEqual(['day', 'until'])
})
