import { LeaseLost } from '../domain/agent-runs/lease-lost.ts'
import { newId } from '../domain/ids.ts'
import { advanceQuestion, type SlackQuestionPorts } from '../domain/slack-questions/advance-question.ts'
import { decideSlackQuestion, type SlackStep } from '../domain/slack-questions/decide-question.ts'
import { slackAttemptDeadlineMs, slackQuestionAttemptsMax, slackQuestionLeaseMs } from '../domain/slack-questions/question-policy.ts'
import type { ClaimedSlackQuestion } from '../model/slack-question.ts'
import { abortAfter, type Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { Control, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'
import type { SlackQuestionStore } from './slack-question-store.ts'

export interface SlackQuestionWorkerDeps {
  slackQuestions: SlackQuestionStore
  slackQuestionPorts: SlackQuestionPorts
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
}

/** Waiting questions have no wake-up of their own when it is time to look again. */
const lookEveryMs = 5_000
/** All questions of a claim are attempted in parallel, so that no lease expires while one waits for its turn. */
const questionsAtOnce = 8

/** Questions from Slack as a kind of work: a question is held only while something is done, not while its agent works. */
export function makeSlackQuestionWorker(deps: SlackQuestionWorkerDeps): Worker {
  const { slackQuestions, slackQuestionPorts, clock, log } = deps

  async function attempt(question: ClaimedSlackQuestion, { signal }: Control): Promise<SlackStep | undefined> {
    const { replyTs } = question
    if (question.attemptNumber > slackQuestionAttemptsMax) {
      return { kind: 'refused_for_good', detail: 'Answering was interrupted every time.', replyTs }
    }
    const deadline = abortAfter(clock, slackAttemptDeadlineMs)
    try {
      return await advanceQuestion(slackQuestionPorts, question, AbortSignal.any([deadline.signal, signal]))
    } catch (error) {
      if (error instanceof LeaseLost) return undefined
      if (signal.aborted) return { kind: 'not_sent' }
      const isLate = deadline.signal.aborted
      if (!isLate) log.error({ err: error, slackQuestionId: question.id }, 'Slack question failed: internal error')
      const detail = isLate ? `No answer within ${slackAttemptDeadlineMs / 1000} seconds.` : 'An internal error occurred. The operator finds it in the log.'
      return { kind: 'refused_for_now', detail, replyTs }
    } finally {
      deadline.cancel()
    }
  }

  const kind: WorkKind<ClaimedSlackQuestion, SlackStep> = {
    name: 'Slack question',
    channel: 'slack_questions',
    lookEveryMs,
    leaseMs: slackQuestionLeaseMs,
    inHandMax: questionsAtOnce,
    claimMax: questionsAtOnce,
    async claim({ leaseMs, count }) {
      const { questions: items, checkedCount } = await slackQuestions.claim({ leaseMs, count })
      if (checkedCount < count) return { items, next: 'when_woken' }
      return { items, next: items.length < count ? 'again' : 'with_room' }
    },
    carryOut: attempt,
    abandonment: { afterMs: 1_000, outcomeOf: () => ({ kind: 'not_sent' }) },
    recording: { batchMax: 1, atOnce: questionsAtOnce },
    async record([ended]) {
      const { item: question, outcome: step, agoMs } = ended!
      const decision = decideSlackQuestion(step, question)
      const replyTs = step.kind === 'not_sent' ? null : step.replyTs
      return new Set((await slackQuestions.record({ question, replyTs, decision, endedAgoMs: agoMs })) ? [question.id] : [])
    },
    onRecorded({ item: question, outcome: step }, isRecorded) {
      const { id: slackQuestionId, attemptNumber } = question
      const next = decideSlackQuestion(step, question).state
      const line = { slackQuestionId, attemptNumber, outcome: step.kind, next }
      if (!isRecorded) log.warn(line, 'Slack reply may have been sent twice: recorded by another worker')
      else if (next === 'failed') log.error({ ...line, ...('detail' in step && { reason: step.detail }) }, 'Slack question abandoned')
      else log.info(line, 'Slack question attempted')
    },
  }
  return makeWorker(kind, { ...deps, workerId: newId(deps.random, 'worker') })
}
