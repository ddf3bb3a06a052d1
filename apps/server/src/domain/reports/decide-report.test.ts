import { describe, expect, test } from 'vitest'
import { decideFailedJob, decideReportDelivery, judgeChannel, whyNotSent } from './decide-report.ts'
import { failuresBeforeDisabling, reportDeliveryAttemptsMax, reportDeliveryWaitsMs, retryAfterMaxMs } from './report-policy.ts'

describe('whether a report is sent', () => {
  const quiet = { isNotable: false, isConditionMet: false, isEnabled: true, isTest: false }

  test.each([
    ['always', {}, undefined],
    ['notable', {}, 'Nothing notable changed.'],
    ['notable', { isNotable: true }, undefined],
    ['condition', { isNotable: true }, 'The condition was not met.'],
    ['condition', { isConditionMet: true }, undefined],
    ['always', { isEnabled: false }, 'The report was disabled or deleted before it was prepared.'],
    ['notable', { isEnabled: false, isTest: true }, undefined],
  ] as const)('%s after a run with %j: %s', (when, run, reason) => {
    expect(whyNotSent(when, { ...quiet, ...run })).toBe(reason)
  })
})

describe('a delivery', () => {
  const refusedForNow = (retryAfterMs?: number) => ({ kind: 'refused_for_now', detail: 'busy', ...(retryAfterMs !== undefined && { retryAfterMs }) }) as const

  test('waits longer after every rejection, and fails after the last attempt', () => {
    const decisions = Array.from({ length: reportDeliveryAttemptsMax }, (_, at) => decideReportDelivery(refusedForNow(), { attemptNumber: at + 1 }))
    expect(decisions).toEqual([
      ...reportDeliveryWaitsMs.map((waitMs) => ({ state: 'due', waitMs })),
      { state: 'failed', isTargetBroken: false },
    ])
  })

  test('waits as long as the receiver asks, but neither less than its own wait nor longer than the maximum', () => {
    const [first] = reportDeliveryWaitsMs
    expect(decideReportDelivery(refusedForNow(first + 1), { attemptNumber: 1 })).toEqual({ state: 'due', waitMs: first + 1 })
    expect(decideReportDelivery(refusedForNow(1), { attemptNumber: 1 })).toEqual({ state: 'due', waitMs: first })
    expect(decideReportDelivery(refusedForNow(Number.MAX_SAFE_INTEGER), { attemptNumber: 1 })).toEqual({ state: 'due', waitMs: retryAfterMaxMs })
  })

  test('is given back if nothing was sent', () => {
    expect(decideReportDelivery({ kind: 'not_sent' }, { attemptNumber: 6 })).toEqual({ state: 'given_back' })
  })

  test('fails at once if it is rejected permanently', () => {
    const outcome = { kind: 'refused_for_good', detail: 'gone', isChannelBroken: true } as const
    expect(decideReportDelivery(outcome, { attemptNumber: 1 })).toEqual({ state: 'failed', isTargetBroken: true })
  })
})

test('a report that cannot be prepared is retried twice, unless trying again would give the same', () => {
  const decide = (attemptNumber: number, isFinal = false) => decideFailedJob({ reason: 'no', isFinal, attemptNumber }).state
  expect([decide(1), decide(2), decide(3), decide(4)]).toEqual(['due', 'due', 'failed', 'failed'])
  expect(decide(1, true)).toBe('failed')
})

describe('a channel', () => {
  const enabled = { state: 'enabled', failureCount: failuresBeforeDisabling - 2 } as const

  test('is disabled by the last of several failures in a row', () => {
    const before = judgeChannel(enabled, { isTargetBroken: false })
    expect(before).toEqual({ failureCount: failuresBeforeDisabling - 1, isDisabledNow: false })
    expect(judgeChannel({ ...enabled, failureCount: before.failureCount }, { isTargetBroken: false }).isDisabledNow).toBe(true)
  })

  test('is disabled by the first failure that says it no longer exists, once', () => {
    expect(judgeChannel({ ...enabled, failureCount: 0 }, { isTargetBroken: true }).isDisabledNow).toBe(true)
    expect(judgeChannel({ ...enabled, state: 'disabled' }, { isTargetBroken: true }).isDisabledNow).toBe(false)
  })
})
