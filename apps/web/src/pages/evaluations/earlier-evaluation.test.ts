import { expect, test } from 'vitest'
import type { Evaluation } from '../../api/evaluations.ts'
import { earlierOf, newestTwo } from './earlier-evaluation.ts'

const evaluation = (id: string, changes: Partial<Evaluation> = {}): Evaluation => ({
  id, questionSetId: 'qset_1', questionSetName: 'Shop', label: null, model: 'small', trigger: 'person', proposal: null, baselineId: null,
  requestedBy: { id: 'user_1', name: 'Ada' }, requestedAt: '2026-01-05T09:00:00Z', endedAt: '2026-01-05T09:01:00Z', score: 1,
  counts: { waiting: 0, running: 0, correct: 1, wrong: 0, failed: 0, stopped: 0 }, url: '', ...changes,
})
const tried = evaluation('tried', { proposal: { kind: 'metric', name: 'Metric Sales' }, baselineId: 'first' })
const history = [evaluation('running', { endedAt: null }), evaluation('third'), tried, evaluation('second'), evaluation('first')]

test('compares with the evaluation before, without changes that were only tried', () => {
  expect(earlierOf(history[1]!, history)?.id).toBe('second')
  expect(earlierOf(history[4]!, history)).toBeUndefined()
  expect(earlierOf(evaluation('older'), history)).toBeUndefined()
})

test('compares a change that was tried with its baseline', () => {
  expect(earlierOf(tried, history)?.id).toBe('first')
})

test('finds the two newest evaluations that have ended', () => {
  expect(newestTwo(history)).toEqual({ from: 'tried', to: 'third' })
  expect(newestTwo(history.slice(0, 2))).toBeUndefined()
})
