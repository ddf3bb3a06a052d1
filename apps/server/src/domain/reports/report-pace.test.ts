import { expect, test } from 'vitest'
import { takeToken } from '../token-bucket.ts'
import { allowedNow, dueInMs, reportPaceOf } from './report-pace.ts'

test('the first messages of a report are due at once, the others one after the other', () => {
  const pace = reportPaceOf(20)
  expect([0, 4, 5, 6, 999].map((position) => dueInMs(pace, position))).toEqual([0, 0, 50, 100, 49_750])
})

test('a process sends as many messages as are due of one report at this pace', () => {
  const pace = reportPaceOf(20)
  let fullAtMs: number | undefined
  for (let position = 0; position < 1_000; position++) {
    const nowMs = dueInMs(pace, position)
    expect(allowedNow(pace, fullAtMs, nowMs).count).toBeGreaterThan(0)
    fullAtMs = takeToken(pace, fullAtMs, nowMs).fullAtMs
  }
  expect(allowedNow(pace, fullAtMs, 49_750)).toEqual({ count: 0, waitMs: 50 })
  expect(allowedNow(pace, fullAtMs, 49_800)).toEqual({ count: 1, waitMs: 0 })
})

test('a faster pace allows more messages at once', () => {
  expect(reportPaceOf(1)).toEqual({ burst: 5, regainMs: 1_000 })
  expect(reportPaceOf(200)).toEqual({ burst: 50, regainMs: 5 })
})
