import type { ReportWhen, SendOutcome } from '../../model/report.ts'
import type { ReportDeliveryDecision, ReportJobDecision } from '../../model/report-work.ts'
import { failuresBeforeDisabling, reportDeliveryWaitsMs, reportJobWaitsMs, retryAfterMaxMs } from './report-policy.ts'

/** Why a report is not sent after a run, or undefined if it is. */
export function whyNotSent(
  when: ReportWhen,
  run: { isNotable: boolean; isConditionMet: boolean; isEnabled: boolean; isTest: boolean },
): string | undefined {
  if (run.isTest) return undefined
  if (!run.isEnabled) return 'The report was disabled or deleted before it was prepared.'
  if (when === 'notable' && !run.isNotable) return 'Nothing notable changed.'
  if (when === 'condition' && !run.isConditionMet) return 'The condition was not met.'
  return undefined
}

/** `not_sent`: interrupted before the receiver could answer. */
export type AttemptOutcome = SendOutcome | { kind: 'not_sent' }

export function decideReportDelivery(outcome: AttemptOutcome, { attemptNumber }: { attemptNumber: number }): ReportDeliveryDecision {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'sent' }
    case 'not_sent':
      return { state: 'given_back' }
    case 'refused_for_good':
      return { state: 'failed', isTargetBroken: outcome.isChannelBroken }
    case 'refused_for_now': {
      const waitMs = reportDeliveryWaitsMs[attemptNumber - 1]
      if (waitMs === undefined) return { state: 'failed', isTargetBroken: false }
      return { state: 'due', waitMs: Math.max(waitMs, Math.min(outcome.retryAfterMs ?? 0, retryAfterMaxMs)) }
    }
  }
}

/** After an attempt to prepare a report failed. `isFinal`: trying again would give the same. */
export function decideFailedJob(failure: { reason: string; isFinal: boolean; attemptNumber: number }): ReportJobDecision {
  const { reason } = failure
  const waitMs = reportJobWaitsMs[failure.attemptNumber - 1]
  return failure.isFinal || waitMs === undefined ? { state: 'failed', reason } : { state: 'due', waitMs, reason }
}

/** What a delivery that failed permanently means for its channel. */
export function judgeChannel(channel: { state: 'enabled' | 'disabled'; failureCount: number }, failure: { isTargetBroken: boolean }) {
  const failureCount = channel.failureCount + 1
  const isBeyondRepair = failure.isTargetBroken || failureCount >= failuresBeforeDisabling
  return { failureCount, isDisabledNow: channel.state === 'enabled' && isBeyondRepair }
}
