import { slackQuestionAttemptsMax, slackQuestionLeaseMs, slackQuestionWaitsMs } from '@querypost/server/background-work'
import type { WorkChange } from '../store/memory-work.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { Cause, Judge, Observed } from '../world/observed.ts'
import { finalReplyOf } from '../world/slack-ports.ts'
import { firstOf } from './1-reaches-its-end.ts'
import { isHealthySince } from './health.ts'

type QuestionChange = Extract<WorkChange, { table: 'slackQuestions' }>
type WorkerCause = Extract<Cause, { by: 'worker' }>

/**
 * Questions from Slack. Each one that was accepted ends as answered, declined or failed, and is asked in a chat once at most. Answered
 * only after its agent has ended and Slack has taken the answer; failed only when Slack refused it permanently or seven times. Nobody but
 * a member is answered. No attempt before it is due, or while another worker has it. It is answered twice only if a response was lost, or
 * if a worker or the store had a fault.
 */
export function slackQuestions(observed: Observed): Judge {
  const work = observed.work!
  const finalReplies = (id: string) => work.sends.get(finalReplyOf(id)) ?? []

  function judgeClaim({ before, after }: QuestionChange, who: string): string | undefined {
    const earlyMs = before!.nextAttemptAt!.getTime() - worldBeganAt - observed.nowMs()
    if (earlyMs > 0) return `${who} was claimed ${earlyMs} ms before it was due`
    const claim = work.emailClaims.get(after.id)
    const heldMs = claim && !claim.isRecorded ? claim.atMs + slackQuestionLeaseMs - observed.nowMs() : 0
    if (heldMs > 0) return `${who} was claimed while ${claim!.machine.id} had it for ${heldMs} ms more`
    const known = finalReplies(after.id).find(({ outcome }) => outcome === 'taken')
    const isForgotten = known && !isHealthySince(known.machine, known.startedMs)
    if (known && !isForgotten && observed.storeAwayUntilMs() < known.startedMs) return `${who} is answered again, and nothing went wrong`
    return undefined
  }

  function judgeRecord({ before, after }: QuestionChange, cause: WorkerCause, who: string): string | undefined {
    const claim = work.emailClaims.get(after.id)
    if (!claim || claim.machine !== cause.machine) return `${who} was recorded by ${cause.machine.id}, but ${claim?.machine.id} has it`
    const ofClaim = ({ machine, startedMs }: { machine: unknown; startedMs: number }) => machine === cause.machine && startedMs >= claim.atMs
    const final = finalReplies(after.id).findLast(ofClaim)
    if (after.state === 'answered' || after.state === 'declined') {
      if (final?.outcome !== 'taken') return `${who} is ${after.state}, but Slack has not taken the reply`
      if ((after.state === 'answered') !== after.isByMember) return `${who} is ${after.state}, although ${after.isByMember ? 'a member' : 'a stranger'} asked`
      const run = after.agentRunId === null ? undefined : work.tables.agentRuns.get(after.agentRunId)!
      return run && (run.status === 'pending' || run.status === 'running') ? `${who} is answered while its agent works` : undefined
    }
    if (final?.outcome === 'taken') return `${who} was answered and is ${after.state}`
    if (after.state === 'failed') {
      const progress = (work.sends.get(`${after.id} progress`) ?? []).findLast(ofClaim)
      const isRefused = [final, progress].some((send) => send?.outcome === 'rejected permanently')
      return isRefused || after.attemptCount >= slackQuestionAttemptsMax ? undefined : `${who} failed after ${after.attemptCount} attempts`
    }
    if (after.state === 'waiting') return after.agentRunId === null ? `${who} waits for an agent that was not asked` : undefined
    if (after.attemptCount < before!.attemptCount) return undefined
    const waitMs = slackQuestionWaitsMs[after.attemptCount - 1] ?? Infinity
    const waitsMs = after.nextAttemptAt!.getTime() - worldBeganAt - claim.atMs
    return waitsMs < waitMs - 2 ? `${who} waits ${waitsMs} ms, not ${waitMs}` : undefined
  }

  function judge(change: QuestionChange, cause: Cause): string | undefined {
    const { before, after } = change
    const who = `Slack question ${after.id}`
    if (!before || cause.by !== 'worker') return undefined
    if (before.state !== 'due' && before.state !== 'waiting') return `${who} was ${before.state} and was written again`
    if (cause.call === 'slackQuestions.record') return judgeRecord(change, cause, who)
    if (cause.call === 'slackQuestions.claim') return judgeClaim(change, who)
    if (cause.call === 'slackQuestions.ask' && before.agentRunId !== null) return `${who} was asked again`
    return undefined
  }

  return {
    invariant: 'Slack questions',
    committed({ work: changes, cause }) {
      return firstOf(changes, (change) => {
        if (change.table === 'slackQuestions') return judge(change, cause)
        if (change.table !== 'agentRuns' || change.before || !work.tables.slackQuestions.has(change.after.triggerId)) return undefined
        const { id, triggerId } = change.after
        const isNoted = changes.some((each) => each.table === 'slackQuestions' && each.after.id === triggerId && each.after.agentRunId === id)
        return isNoted ? undefined : `Slack question ${triggerId} was asked, and nothing says so`
      })
    },
    ended: () =>
      firstOf(work.tables.slackQuestions.values(), ({ id, state }) =>
        state === 'due' || state === 'waiting' ? `Slack question ${id} is still ${state} at the end` : undefined,
      ),
  }
}
