import { describe, expect, test } from 'vitest'
import { bounds } from './model-limits.ts'
import { openTally } from './tally.ts'

describe('the tally', () => {
  test('ends a run after the maximum number of steps', () => {
    const tally = openTally()
    for (let step = 1; step <= bounds.steps; step++) expect(tally.beginStep()).toBeUndefined()
    expect(tally.stepsLeft()).toBe(0)
    expect(tally.beginStep()).toBe(
      'The model did not finish within 30 steps. Make the task smaller or clearer, or choose another model.',
    )
    expect(tally.usage()).toEqual({ inputTokens: 0, outputTokens: 0, steps: 30 })
  })

  test('ends a run after the maximum number of tokens, input and output together', () => {
    const tally = openTally()
    tally.addUsage({ inputTokens: bounds.totalTokens - 10, outputTokens: 9 })
    expect(tally.beginStep()).toBeUndefined()
    tally.addUsage({ inputTokens: 0, outputTokens: 1 })
    expect(tally.beginStep()).toMatch(/^The model has used 500,000 tokens; a run may use 500,000\./)
  })

  test('ends a run at the third call with the same input, whatever the order of its keys', () => {
    const tally = openTally()
    const call = (input: unknown) => tally.beginCall({ name: 'run_sql', input })
    expect(call({ a: 1, b: [{ c: 2, d: 3 }] })).toBeUndefined()
    expect(call({ a: 1, b: [{ c: 2, d: 4 }] })).toBeUndefined()
    expect(call({ b: [{ d: 3, c: 2 }], a: 1 })).toBeUndefined()
    expect(tally.beginCall({ name: 'other', input: { a: 1, b: [{ c: 2, d: 3 }] } })).toBeUndefined()
    expect(call({ a: 1, b: [{ c: 2, d: 3 }] })).toMatch(/^The model repeated itself: it called run_sql 3 times/)
  })

  test('ends a run after five errors in a row; a success resets the count', () => {
    const tally = openTally()
    for (let error = 1; error < 5; error++) expect(tally.endCall('no')).toBeUndefined()
    expect(tally.endCall(undefined)).toBeUndefined()
    for (let error = 1; error < 5; error++) expect(tally.endCall('no')).toBeUndefined()
    expect(tally.endCall('There is no table x.')).toMatch(/^The last 5 tool calls failed.*: There is no table x\./)
  })

  test('ends a run after the maximum number of tool calls', () => {
    const tally = openTally()
    for (let call = 1; call <= bounds.toolCalls; call++) expect(tally.beginCall({ name: 't', input: call })).toBeUndefined()
    expect(tally.beginCall({ name: 't', input: 0 })).toMatch(/more than 100 times/)
  })
})
