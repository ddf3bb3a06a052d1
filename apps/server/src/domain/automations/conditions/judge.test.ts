import { describe, expect, test } from 'vitest'
import type { Condition, ConditionState } from '../../../model/automation.ts'
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
const judged = (condition: Condition, result: ResultFacts, previous: ConditionState | null = before()) => {
  const { state, isTriggered } = judge({ condition, facts: result, previous, now })
  return { isTriggered, isMet: state.isMet, finding: state.finding }
}

describe('the number of rows', () => {
  const condition: Condition = { reference: 'abc', kind: 'row_count', comparison: '>', number: 0 }

  test('meets the condition, or does not', () => {
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

  test('begins a run when the result before did not meet it, or was none', () => {
    expect(judged(condition, facts(), null)).toMatchObject({ isMet: true, isTriggered: true })
    expect(judged(condition, facts(), before({ isMet: true }))).toMatchObject({ isMet: true, isTriggered: false })
    expect(judged(condition, facts({ rowCount: 0 }), before({ isMet: true }))).toMatchObject({ isMet: false, isTriggered: false })
  })

  test('begins one every time where that is wanted', () => {
    const everyTime: Condition = { ...condition, everyTime: true }
    expect(judged(everyTime, facts(), before({ isMet: true }))).toMatchObject({ isMet: true, isTriggered: true })
    expect(judged(everyTime, facts({ rowCount: 0 }), before({ isMet: true }))).toMatchObject({ isTriggered: false })
  })
})

describe('a column’s values', () => {
  const condition: Condition = { reference: 'abc', kind: 'value', column: 'left', comparison: '<', number: 5 }

  test('meet the condition when one does', () => {
    expect(judged(condition, facts({ column: { kind: 'read', found: '4.50' } }))).toEqual({
      isTriggered: true,
      isMet: true,
      finding: 'A row of the reference "Stock" has the "left" 4.50, which is < 5.',
    })
    expect(judged(condition, facts({ column: { kind: 'read', found: null } }), before({ isMet: true }))).toEqual({
      isTriggered: false,
      isMet: false,
      finding: 'No row of the reference "Stock" has a "left" that is < 5.',
    })
  })

  test.each([true, false])('that cannot be judged leave what was found before: met is %s', (isMet) => {
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
      finding: 'The column "left" of the reference "Stock" holds values of the type string, which are no numbers.',
    })
  })

  test('of very many columns are not all told', () => {
    const columns = Array.from({ length: 25 }, (_, index) => `c${index}`)
    expect(judged(condition, facts({ column: { kind: 'missing', columns } })).finding).toMatch(/"c19", 5 more\.$/)
  })
})

describe('a change', () => {
  const condition: Condition = { reference: 'abc', kind: 'changed' }

  test('is another result than the one before, each time anew', () => {
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

  test('needs something that it can be a change of', () => {
    const first = { isTriggered: false, isMet: false, finding: expect.stringMatching(/first result/) }
    expect(judged(condition, facts(), null)).toEqual(first)
    expect(judged(condition, facts(), unjudged({ finding: 'No.', previous: null, now }).state)).toEqual(first)
  })
})

test('what kept a result from being judged is told beside what was found before', () => {
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
