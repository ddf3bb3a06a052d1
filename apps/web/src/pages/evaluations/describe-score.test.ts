import { expect, test } from 'vitest'
import { describeScore } from './describe-score.ts'

const none = { waiting: 0, running: 0, correct: 0, wrong: 0, failed: 0, stopped: 0 }

test('an ended evaluation shows its score, never rounded up to 100%', () => {
  expect(describeScore({ counts: { ...none, correct: 22, wrong: 2, failed: 1 }, score: 0.88 })).toBe('22 of 25 correct (88%)')
  expect(describeScore({ counts: { ...none, correct: 199, wrong: 1 }, score: 0.995 })).toBe('199 of 200 correct (99%)')
})

test('a running one shows how far it is', () => {
  expect(describeScore({ counts: { ...none, waiting: 20, running: 4, wrong: 1 }, score: null })).toBe('1 of 25 answered')
})
