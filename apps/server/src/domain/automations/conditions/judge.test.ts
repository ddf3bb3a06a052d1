import { describe, expect, test } from 'vitest'
import type { RunCondition, ConditionState } from '../../../model/automation.ts'
import { judge, type ResultFacts, unjudged } from './judge.ts'

const now = new Date('2026-01-05T09:00:00.000Z')
const facts = (change: Partial<ResultFacts> = {}): ResultFacts => ({
  runId: 'run_2',
  title: 'Stock',
  rowCount: 3,
  resultHash: 'second',
  ...change,
})
const before = (change: Partial<ConditionState> = {}): ConditionState => ({
  runId: 'run_1',
  resultHash: 'first',
  isMet: false,
  judgedAt: '2026-01-04T09:00:00.000Z',
  finding: 'Nothing.',
  ...change,
})
const judged = (condition: RunCondition, result: ResultFacts, previous: ConditionState | null = before()) => {
  const { state, isTriggered } = judge({ condition, facts: result, previous, now })
  return { isTriggered, isMet: state.isMet, finding: state.finding }
}

describe('a condition on the row count', () => {
  const condition: RunCondition = { reference: 'abc', kind: 'row_count', comparison: '>', number: 0 }

  test('is met or not met', () => {
    expect(judge({ condition, facts: facts(), previous: before(), now })).toEqual({
      isTriggered: true,
      state: {
        runId: 'run_2',
        resultHash: 'second',
        isMet: true,
        judgedAt: '2026-01-05T09:00:00.000Z',
        finding: 'The reference "Stock" has 3 rows, which is > 0.',
      },
    })
    expect(judged(condition, facts({ rowCount: 0 }))).toEqual({
      isTriggered: false,
      isMet: false,
      finding: 'The reference "Stock" has 0 rows, which is not > 0.',
    })
    expect(judged(condition, facts({ rowCount: 1 })).finding).toBe('The reference "Stock" has 1 row, which is > 0.')
  })

  test('triggers a run when the previous result did not meet it or there was none', () => {
    expect(judged(condition, facts(), null)).toMatchObject({ isMet: true, isTriggered: true })
    expect(judged(condition, facts(), before({ isMet: true }))).toMatchObject({ isMet: true, isTriggered: false })
    expect(judged(condition, facts({ rowCount: 0 }), before({ isMet: true }))).toMatchObject({ isMet: false, isTriggered: false })
  })

  test('triggers a run every time if configured so', () => {
    const everyTime: RunCondition = { ...condition, everyTime: true }
    expect(judged(everyTime, facts(), before({ isMet: true }))).toMatchObject({ isMet: true, isTriggered: true })
    expect(judged(everyTime, facts({ rowCount: 0 }), before({ isMet: true }))).toMatchObject({ isTriggered: false })
  })
})

describe('a condition on a column’s values', () => {
  const condition: RunCondition = { reference: 'abc', kind: 'value', column: 'left', comparison: '<', number: 5 }

  test('is met when one value matches', () => {
    expect(judged(condition, facts({ column: { kind: 'read', found: '4.50' } }))).toEqual({
      isTriggered: true,
      isMet: true,
      finding: 'A row of the reference "Stock" has "left" = 4.50, which is < 5.',
    })
    expect(judged(condition, facts({ column: { kind: 'read', found: null } }), before({ isMet: true }))).toEqual({
      isTriggered: false,
      isMet: false,
      finding: 'No row of the reference "Stock" has "left" < 5.',
    })
  })

  test.each([true, false])('keeps the previous state when it cannot be evaluated: met is %s', (isMet) => {
    const missing = judge({
      condition,
      facts: facts({ column: { kind: 'missing', columns: ['a', 'b'] } }),
      previous: before({ isMet }),
      now,
    })
    expect(missing).toEqual({
      isTriggered: false,
      state: { ...before({ isMet }), judgedAt: now.toISOString(), finding: 'The result of the reference "Stock" has no column "left". It has "a", "b".' },
    })
    const words = facts({ column: { kind: 'not_numbers', type: 'string' } })
    expect(judged(condition, words, before({ isMet }))).toEqual({
      isTriggered: false,
      isMet,
      finding: 'The column "left" of the reference "Stock" has values of type string, which are not numbers.',
    })
  })

  test('lists only the first columns of very many', () => {
    const columns = Array.from({ length: 25 }, (_, index) => `c${index}`)
    expect(judged(condition, facts({ column: { kind: 'missing', columns } })).finding).toMatch(/"c19", 5 more\.$/)
  })
})

describe('a condition on changes', () => {
  const condition: RunCondition = { reference: 'abc', kind: 'changed' }

  test('is met whenever the result differs from the previous one', () => {
    expect(judged(condition, facts(), before({ isMet: true }))).toEqual({
      isTriggered: true,
      isMet: true,
      finding: 'The result of the reference "Stock" has changed since last time. It has 3 rows now.',
    })
    expect(judged(condition, facts({ resultHash: 'first' }), before({ isMet: true }))).toEqual({
      isTriggered: false,
      isMet: false,
      finding: 'The result of the reference "Stock" is the same as last time.',
    })
  })

  test('is not met by the first result', () => {
    const first = { isTriggered: false, isMet: false, finding: expect.stringMatching(/first result/) }
    expect(judged(condition, facts(), null)).toEqual(first)
    expect(judged(condition, facts(), unjudged({ finding: 'No.', previous: null, now }).state)).toEqual(first)
  })
})

test('a result that cannot be evaluated keeps the previous state, with the reason', () => {
  expect(unjudged({ finding: 'It is gone.', previous: before({ isMet: true }), now })).toEqual({
    isTriggered: false,
    state: { ...before({ isMet: true }), finding: 'It is gone.', judgedAt: now.toISOString() },
  })
  expect(unjudged({ finding: 'It is gone.', previous: null, now }).state).toEqual({
    runId: null,
    resultHash: null,
    isMet: false,
    judgedAt: now.toISOString(),
    finding: 'It is gone.',
  })
})
