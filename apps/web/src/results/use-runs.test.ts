import { expect, test } from 'vitest'
import type { Run } from '../api/runs.ts'
import { outcomeOf } from './use-runs.ts'

const run = (changes: Partial<Run>) => ({ id: 'run_1', status: 'failed', failureReason: null, isStopped: false, ...changes }) as Run

test('a failed run is a problem, with the words of the engine', () => {
  const failed = run({ failureReason: 'No such table.' })
  expect(outcomeOf(failed)).toEqual({
    problem: { title: 'Query failed', message: 'No such table.', isVerbatim: true, run: failed },
    stopped: null,
  })
})

test('a run that a person stopped is not a problem', () => {
  const stopped = run({ failureReason: 'Stopped by Grace.', isStopped: true })
  expect(outcomeOf(stopped)).toEqual({ problem: null, stopped })
})

test('reports nothing about other runs', () => {
  for (const other of [undefined, run({ status: 'completed' }), run({ status: 'running' })]) {
    expect(outcomeOf(other)).toEqual({ problem: null, stopped: null })
  }
})
