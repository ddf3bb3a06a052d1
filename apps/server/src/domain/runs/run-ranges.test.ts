import { expect, test } from 'vitest'
import { rangesOf } from './run-ranges.ts'

test('resolves the date ranges of a run on the day it was requested', () => {
  const run = {
    runAt: new Date('2026-11-16T23:59:59Z'),
    parameterTypes: { period: 'dateRange', fixed: 'dateRange', word: 'text' },
    parameterValues: { period: 'last 2 days', fixed: '2024-02-01..2024-02-29', word: 'today' },
  } as const
  expect(rangesOf(run)).toEqual({
    period: { start: '2026-11-14', end: '2026-11-15' },
    fixed: { start: '2024-02-01', end: '2024-02-29' },
  })
})
