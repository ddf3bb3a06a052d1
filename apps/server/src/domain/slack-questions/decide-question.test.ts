import { expect, test } from 'vitest'
import { decideSlackQuestion } from './decide-question.ts'

const later = { kind: 'refused_for_now', detail: 'Busy.', replyTs: null } as const

test('waits longer after each attempt, and gives up after the seventh', () => {
  const decisions = [1, 2, 3, 4, 5, 6, 7].map((attemptNumber) => decideSlackQuestion(later, { attemptNumber }))
  expect(decisions.map((decision) => ('waitMs' in decision ? decision.waitMs / 1000 : decision))).toEqual([
    5, 30, 120, 600, 1800, 3600, { state: 'failed', reason: 'Busy.' },
  ])
})

test('waits as long as Slack asks, up to an hour', () => {
  const wait = (retryAfterMs: number, attemptNumber: number) => decideSlackQuestion({ ...later, retryAfterMs }, { attemptNumber })
  expect(wait(60_000, 1)).toMatchObject({ waitMs: 60_000 })
  expect(wait(1_000, 2)).toMatchObject({ waitMs: 30_000 })
  expect(wait(86_400_000, 1)).toMatchObject({ waitMs: 3_600_000 })
})

test('a permanent refusal ends it, and an interruption costs no attempt', () => {
  expect(decideSlackQuestion({ kind: 'refused_for_good', detail: 'No.', replyTs: null }, { attemptNumber: 1 })).toEqual({ state: 'failed', reason: 'No.' })
  expect(decideSlackQuestion({ kind: 'not_sent' }, { attemptNumber: 1 })).toEqual({ state: 'given_back' })
})
