import type { SlackQuestionDecision } from '../../model/slack-question.ts'
import { slackProgressEveryMs, slackQuestionWaitsMs, slackRetryAfterMaxMs } from './question-policy.ts'

/** How an attempt to take a question a step further ended. `replyTs` names the reply, if it was posted. */
export type SlackStep =
  | { kind: 'waiting'; replyTs: string | null; toldSteps: number }
  | { kind: 'answered'; replyTs: string; problem: string | null }
  | { kind: 'declined'; replyTs: string; reason: string }
  | { kind: 'refused_for_now'; detail: string; retryAfterMs?: number; replyTs: string | null }
  | { kind: 'refused_for_good'; detail: string; replyTs: string | null }
  /** Interrupted before Slack could answer. */
  | { kind: 'not_sent' }

export function decideSlackQuestion(step: SlackStep, { attemptNumber }: { attemptNumber: number }): SlackQuestionDecision {
  switch (step.kind) {
    case 'waiting':
      return { state: 'waiting', waitMs: slackProgressEveryMs, toldSteps: step.toldSteps }
    case 'answered':
      return { state: 'answered', reason: step.problem }
    case 'declined':
      return { state: 'declined', reason: step.reason }
    case 'refused_for_good':
      return { state: 'failed', reason: step.detail }
    case 'refused_for_now': {
      const waitMs = slackQuestionWaitsMs[attemptNumber - 1]
      if (waitMs === undefined) return { state: 'failed', reason: step.detail }
      return { state: 'due', waitMs: Math.max(waitMs, Math.min(step.retryAfterMs ?? 0, slackRetryAfterMaxMs)), reason: step.detail }
    }
    case 'not_sent':
      return { state: 'given_back' }
  }
}
