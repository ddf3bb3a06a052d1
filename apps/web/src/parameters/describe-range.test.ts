import { expect, test } from 'vitest'
import type { ParameterDefinition } from '../api/references.ts'
import { describeRange, describeRunRanges } from './describe-range.ts'
import { showValue, summarizeValue } from './show-value.ts'

const period: ParameterDefinition = { name: 'period', displayName: 'Period', type: 'dateRange', defaultValue: '', description: '' }
const word: ParameterDefinition = { ...period, name: 'word', displayName: 'Word', type: 'text' }

test('describes relative ranges in words, and fixed ones by their days', () => {
  expect(describeRange('LAST 30 days')).toBe('Last 30 days')
  expect(describeRange('2026-01-01..2026-03-31')).toMatch(/Jan.*Mar.*2026/)
  expect([describeRange(''), describeRange('nonsense')]).toEqual(['', 'nonsense'])
})

test('says which days a run’s relative ranges meant on the day of the run', () => {
  const run = { runAt: '2026-11-16T23:59:00.000Z', parameterValues: { period: 'last 30 days', word: 'today' } }
  expect(describeRunRanges(run, [period, word])).toMatch(/^Period: .*Oct.*17.*Nov.*15.*2026$|^Period: 17 Oct.*15 Nov 2026$/)
  expect(describeRunRanges({ ...run, parameterValues: { period: '2026-01-01..2026-03-31' } }, [period])).toBe('')
  expect(describeRunRanges({ ...run, parameterValues: {} }, [period])).toBe('')
})

test('summarizes lists with the labels of their options', () => {
  const options = { values: [{ value: 'DE', label: 'Germany' }, { value: 'FR' }] }
  expect(summarizeValue({ ...word, options }, ['DE', 'FR'])).toBe('Germany, FR')
  expect(summarizeValue(word, ['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c + 2')
  expect(summarizeValue(period, 'this month')).toBe('This month')
  expect([showValue(['a', 1]), showValue([]), showValue(false)]).toEqual(['a, 1', '', 'false'])
})
