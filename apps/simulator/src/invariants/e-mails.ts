import { emailAttemptsMax, emailLeaseMs, emailTooOldMs, emailWaitsMs } from '@querypost/server/background-work'
import type { WorkChange } from '../store/memory-work.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { Cause, Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'
import { isHealthySince } from './health.ts'

type EmailChange = Extract<WorkChange, { table: 'emails' }>
type WorkerCause = Extract<Cause, { by: 'worker' }>

/**
 * E-mails. Each ends as sent, failed, or abandoned because it is no longer needed. Sent only after the server accepted it; failed only
 * when it was rejected permanently or six times. No attempt before it is due by the store's time, and never more than six. It is sent
 * twice only if a response was lost, or if a worker or the store had a fault.
 */
export function eMails(observed: Observed): Judge {
  const work = observed.work!

  function judgeClaim({ before, after }: EmailChange, who: string): string | undefined {
    const earlyMs = before!.nextAttemptAt!.getTime() - worldBeganAt - observed.nowMs()
    if (earlyMs > 0) return `${who} was claimed ${earlyMs} ms before it was due`
    const claim = work.emailClaims.get(after.id)
    const heldMs = claim && !claim.isRecorded ? claim.atMs + emailLeaseMs - observed.nowMs() : 0
    if (heldMs > 0) return `${who} was claimed while ${claim!.machine.id} had it for ${heldMs} ms more`
    if (after.attemptCount > emailAttemptsMax) return `${who} is attempted for the ${after.attemptCount}th time`
    const known = (work.sends.get(after.id) ?? []).find(({ outcome }) => outcome === 'taken')
    const isForgotten = known && !isHealthySince(known.machine, known.startedMs)
    if (known && !isForgotten && observed.storeAwayUntilMs() < known.startedMs) return `${who} is sent again, and nothing went wrong`
    return undefined
  }

  function judgeRecord({ before, after }: EmailChange, cause: WorkerCause, who: string): string | undefined {
    const claim = work.emailClaims.get(after.id)
    if (!claim || claim.machine !== cause.machine) return `${who} was recorded by ${cause.machine.id}, but ${claim?.machine.id} has it`
    const send = (work.sends.get(after.id) ?? []).findLast(({ machine, startedMs }) => machine === cause.machine && startedMs >= claim.atMs)
    if (after.state === 'sent') return send?.outcome === 'taken' ? undefined : `${who} is sent, but the server has not taken it`
    const isTaken = send?.outcome === 'taken'
    if (isTaken) return `${who} was taken by the server and is ${after.state}`
    if (after.state === 'failed') {
      const isLast = after.attemptCount === emailAttemptsMax
      return send?.outcome === 'rejected permanently' || isLast ? undefined : `${who} failed after ${after.attemptCount} attempts`
    }
    if (after.attemptCount < before!.attemptCount) return undefined
    return judgeWait(after, cause, send?.endedMs, who)
  }

  function judgeWait(after: EmailChange['after'], cause: WorkerCause, endedMs: number | undefined, who: string) {
    const waitMs = emailWaitsMs[after.attemptCount - 1]!
    if (endedMs === undefined) return `${who} waits without having been attempted`
    const waitsMs = after.nextAttemptAt!.getTime() - worldBeganAt - endedMs
    const isAsleep = cause.machine.last.stallMs >= endedMs - 60_000 || cause.machine.last.suspensionEndMs >= endedMs
    const mostMs = waitMs + observed.nowMs() - cause.calledMs + 2
    return waitsMs >= waitMs - 2 && (waitsMs <= mostMs || isAsleep) ? undefined : `${who} waits ${waitsMs} ms, not ${waitMs}`
  }

  function judge(change: EmailChange, cause: Cause): string | undefined {
    const { before, after } = change
    if (!before || cause.by !== 'worker') return undefined
    const who = `e-mail ${after.id}`
    if (before.state !== 'due') return `${who} was ${before.state ?? 'let go'} and was written again`
    if (cause.call === 'emails.record') return judgeRecord(change, cause, who)
    if (after.state === 'due') return judgeClaim(change, who)
    if (after.state === 'failed') return after.attemptCount >= emailAttemptsMax ? undefined : `${who} failed without an attempt`
    const ageMs = worldBeganAt + observed.nowMs() - after.createdAt.getTime()
    return after.isRead || ageMs >= emailTooOldMs ? undefined : `${who} was abandoned although it is still needed`
  }

  return {
    invariant: 'e-mails',
    committed: ({ work: changes, cause }) =>
      firstOf(changes, (change) => (change.table === 'emails' ? judge(change, cause) : undefined)),
    ended: () =>
      firstOf(work.tables.emails.values(), ({ id, state }) => (state === 'due' ? `e-mail ${id} is still due at the end` : undefined)),
  }
}
