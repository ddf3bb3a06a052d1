import { describe, expect, test } from 'vitest'
import type { Comparison, RunCondition } from '../../../model/automation.ts'
import { columnFacts, measuresOfCondition, replayCondition } from './replay-condition.ts'

const began = Date.parse('2026-01-01T08:00:00Z')
const past = (rowCounts: number[]) =>
  rowCounts.map((rowCount, day) => ({
    at: new Date(began + day * 24 * 3600_000),
    facts: { runId: `run_${day}`, title: 'Stock', rowCount, resultHash: `hash ${rowCount}` },
    fault: null,
    value: String(rowCount),
  }))
const firedOn = (condition: RunCondition, rowCounts: number[]) =>
  replayCondition(condition, past(rowCounts)).firings.map(({ from, to }) => [from, to].map((at) => at && (at.getTime() - began) / (24 * 3600_000)))

describe('conditions that start runs', () => {
  test('fire when they are newly met, and again after they were not', () => {
    const condition = { reference: 'r', kind: 'row_count', comparison: '=', number: 2 } as const
    expect(firedOn(condition, [1, 2, 2, 3, 2])).toEqual([[1, 3], [4, null]])
    expect(firedOn({ ...condition, everyTime: true }, [1, 2, 2])).toEqual([[1, 1], [2, 2]])
    expect(firedOn({ ...condition, comparison: '!=' }, [2, 1, 2])).toEqual([[1, 2]])
  })

  test('count each change of the result', () => {
    expect(firedOn({ reference: 'r', kind: 'changed' }, [1, 1, 2, 2, 1])).toEqual([[2, 2], [4, 4]])
    expect(replayCondition({ reference: 'r', kind: 'changed' }, past([1, 2, 2]))).toMatchObject({ resultCount: 3, messageCount: 1, silentDays: 2 })
  })

  test('keep their state when a result cannot be read', () => {
    const [first, second, third] = past([2, 2, 2])
    const condition = { reference: 'r', kind: 'row_count', comparison: '=', number: 2 } as const
    const { firings, points } = replayCondition(condition, [first!, { ...second!, fault: 'The result has no column.' }, third!])
    expect(firings).toHaveLength(1)
    expect(points.map(({ status }) => status)).toEqual(['firing', 'failing', 'firing'])
  })
})

test.each<[Comparison, string[], (string | null)[], string | null]>([
  ['>', ['max n'], ['7'], '7'],
  ['>', ['max n'], ['5'], null],
  ['<=', ['min n'], ['5'], '5'],
  ['!=', ['min n', 'max n'], ['5', '6'], '6'],
  ['!=', ['min n', 'max n'], ['5', '5'], null],
  ['=', ['= 5 n'], ['5.0'], '5.0'],
  ['=', ['= 5 n'], [null], null],
])('finds a value that is %s 5 from %j: %j', (comparison, names, values, found) => {
  const condition = { reference: 'r', kind: 'value', column: 'n', comparison, number: 5 } as const
  expect(measuresOfCondition(condition)).toEqual(names)
  expect(columnFacts(condition, values)).toEqual({ kind: 'read', found })
})
