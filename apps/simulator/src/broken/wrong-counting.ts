import type { judgeExhausted } from '@querypost/server/background-work'
import { soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** A success does not reset the count of failures. */
export const countNeverReset: BrokenEngine = {
  name: 'count never reset',
  noticedBy: [5],
  rules: { ...soundRules, isCountResetBySuccess: false },
}

/** Counts failed attempts instead of exhausted events. */
export const countsAttempts: BrokenEngine = {
  name: 'counts attempts',
  noticedBy: [5],
  rules: { ...soundRules, isCountedAsFailure: ({ decision }) => decision.state !== 'delivered' },
}

const disablingAt =
  (count: number): typeof judgeExhausted =>
  (endpoint) => {
    const sound = soundRules.judgeExhausted(endpoint)
    const isDisabledNow = endpoint.state === 'enabled' && sound.consecutiveFailures === count
    const isWarning = endpoint.state === 'enabled' && sound.consecutiveFailures === 3
    return { ...sound, isDisabledNow, notice: isDisabledNow ? 'endpoint_disabled' : isWarning ? 'endpoint_failing' : null }
  }

export const disabledAtTheFourth: BrokenEngine = {
  name: 'disabled at the fourth',
  noticedBy: [5],
  rules: { ...soundRules, judgeExhausted: disablingAt(4) },
}

export const disabledAtTheSixth: BrokenEngine = {
  name: 'disabled at the sixth',
  noticedBy: [5],
  rules: { ...soundRules, judgeExhausted: disablingAt(6) },
}

/** Notifies the creator twice. */
export const notifiedTwice: BrokenEngine = {
  name: 'notified twice',
  noticedBy: [5],
  rules: { ...soundRules, noticeCount: 2 },
}
