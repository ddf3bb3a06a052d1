import { expect, test } from 'vitest'
import { describeScore, percent } from './describe-score.ts'

const counts = { waiting: 0, running: 0, correct: 20, wrong: 3, failed: 2, stopped: 0 }

test('describes the score of an evaluation that has ended, and progress before', () => {
  expect(describeScore({ counts, score: 0.8 })).toBe('20 of 25 correct (80%)')
  expect(describeScore({ counts: { ...counts, running: 5 }, score: null })).toBe('running, 20 of 30 correct so far')
})

test.each([
  [1, '100%'],
  [0.9999, '99.9%'],
  [2 / 3, '66.6%'],
  [0, '0%'],
])('rounds %d down', (score, text) => expect(percent(score)).toBe(text))
