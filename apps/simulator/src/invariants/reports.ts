import { reportDeliveryAttemptsMax, reportDeliveryLeaseMs, reportDeliveryWaitsMs } from '@querypost/server/background-work'
import type { MemoryReportDelivery, WorkChange } from '../store/memory-work.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { Cause, Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'
import { isHealthySince } from './health.ts'

type DeliveryChange = Extract<WorkChange, { table: 'reportDeliveries' }>
type JobChange = Extract<WorkChange, { table: 'reportJobs' }>
type WorkerCause = Extract<Cause, { by: 'worker' }>

/**
 * Reports. A job becomes one delivery for each recipient, all at once, and renders each set of values once. Each delivery ends as sent,
 * failed or dropped: sent only after the server accepted it, failed only when it was rejected permanently or six times, dropped only if
 * the recipient has unsubscribed or not confirmed. Nothing is claimed for such a recipient. It is sent twice only if a response was
 * lost, or if a worker or the store had a fault. No worker claims a second delivery of an organization while one of another, of which it
 * has none, is due.
 */
export function reports(observed: Observed): Judge {
  const work = observed.work!

  function judgeJob({ before, after }: JobChange, cause: Cause, inserted: MemoryReportDelivery[]): string | undefined {
    if (!before || cause.by !== 'worker') return undefined
    const who = `report job ${after.id}`
    if (before.state !== 'due') return `${who} was ${before.state} and was written again`
    if (after.leaseNumber > before.leaseNumber) {
      const earlyMs = before.nextAttemptAt!.getTime() - worldBeganAt - observed.nowMs()
      if (earlyMs > 0) return `${who} was claimed ${earlyMs} ms before it was due`
      return undefined
    }
    if (after.state !== 'prepared') return undefined
    const expected = work.plan.reports.find(({ id }) => id === after.reportId)!.recipients.map(({ email }) => email)
    const actual = inserted.filter(({ jobId }) => jobId === after.id).map(({ recipient }) => recipient)
    if (expected.toSorted().join() !== actual.toSorted().join()) return `${who} has deliveries for ${actual.join()}, not for ${expected.join()}`
    const renders = work.renders.get(`${after.id} ${after.leaseNumber}`) ?? []
    return new Set(renders).size < renders.length ? `${who} rendered the same values ${renders.length} times` : undefined
  }

  function judgeClaim({ before, after }: DeliveryChange, who: string): string | undefined {
    const earlyMs = before!.nextAttemptAt!.getTime() - worldBeganAt - observed.nowMs()
    if (earlyMs > 0) return `${who} was claimed ${earlyMs} ms before it was due`
    const claim = work.emailClaims.get(after.id)
    const heldMs = claim && !claim.isRecorded ? claim.atMs + reportDeliveryLeaseMs - observed.nowMs() : 0
    if (heldMs > 0) return `${who} was claimed while ${claim!.machine.id} had it for ${heldMs} ms more`
    const { isMember, isConfirmed, hasUnsubscribed } = work.tables.subscribers.get(after.recipient)!
    if (hasUnsubscribed) return `${who} is about to be sent, but its recipient has unsubscribed`
    if (!isMember && !isConfirmed) return `${who} is about to be sent, but its address is not confirmed`
    const known = (work.sends.get(after.id) ?? []).find(({ outcome }) => outcome === 'taken')
    const isForgotten = known && !isHealthySince(known.machine, known.startedMs)
    if (known && !isForgotten && observed.storeAwayUntilMs() < known.startedMs) return `${who} is sent again, and nothing went wrong`
    return undefined
  }

  function judgeRecord({ before, after }: DeliveryChange, cause: WorkerCause, who: string): string | undefined {
    const claim = work.emailClaims.get(after.id)
    if (!claim || claim.machine !== cause.machine) return `${who} was recorded by ${cause.machine.id}, but ${claim?.machine.id} has it`
    const send = (work.sends.get(after.id) ?? []).findLast(({ machine, startedMs }) => machine === cause.machine && startedMs >= claim.atMs)
    if (after.state === 'sent') return send?.outcome === 'taken' ? undefined : `${who} is sent, but the server has not taken it`
    if (send?.outcome === 'taken') return `${who} was taken by the server and is ${after.state}`
    if (after.state === 'failed') {
      const isLast = after.attemptCount >= reportDeliveryAttemptsMax
      return send?.outcome === 'rejected permanently' || isLast ? undefined : `${who} failed after ${after.attemptCount} attempts`
    }
    if (after.attemptCount < before!.attemptCount) return undefined
    const waitMs = reportDeliveryWaitsMs[after.attemptCount - 1]
    if (waitMs === undefined || send?.endedMs === undefined) return `${who} waits without an attempt to wait for`
    const waitsMs = after.nextAttemptAt!.getTime() - worldBeganAt - send.endedMs
    return waitsMs < waitMs - 2 ? `${who} waits ${waitsMs} ms, not ${waitMs}` : undefined
  }

  /** Whether organizations take turns. */
  function judgeTurns(changes: readonly WorkChange[], cause: WorkerCause): string | undefined {
    const deliveries = [...work.tables.reportDeliveries.values()]
    const claimedIds = new Set(changes.flatMap((change) => (change.table === 'reportDeliveries' ? [change.after.id] : [])))
    const touched = changes.flatMap((change) => (change.table === 'reportDeliveries' ? [change.after.organizationId] : []))
    /** This worker is sending another delivery of the organization. */
    const isSending = (organizationId: string) =>
      deliveries.some((delivery) => {
        const isOther = delivery.organizationId === organizationId && !claimedIds.has(delivery.id)
        const send = isOther ? work.sends.get(delivery.id)?.at(-1) : undefined
        return send?.machine === cause.machine && send.endedMs === undefined && isHealthySince(send.machine, send.startedMs)
      })
    const greedy = touched.find((organizationId, at) => touched.indexOf(organizationId) < at || isSending(organizationId))
    if (greedy === undefined) return undefined
    const nowMs = worldBeganAt + observed.nowMs()
    /** Whether this worker may have one in hand; one that waits to be recorded need not count. */
    const isHeld = (organizationId: string) =>
      deliveries.some((delivery) => {
        const claim = delivery.organizationId === organizationId ? work.emailClaims.get(delivery.id) : undefined
        return claim?.machine === cause.machine && !claim.isRecorded
      })
    return firstOf(deliveries, ({ id, organizationId, state, nextAttemptAt }) => {
      const isWaiting = state === 'due' && nextAttemptAt!.getTime() <= nowMs && !touched.includes(organizationId)
      return isWaiting && !isHeld(organizationId) ? `report delivery ${id} is due, but ${greedy} got more than one turn before it` : undefined
    })
  }

  function judgeDelivery(change: DeliveryChange, cause: Cause): string | undefined {
    const { before, after } = change
    const who = `report delivery ${after.id}`
    if (!before || cause.by !== 'worker') return undefined
    if (before.state !== 'due') return `${who} was ${before.state} and was written again`
    if (cause.call === 'reportDeliveries.record') return judgeRecord(change, cause, who)
    if (after.state === 'due') return judgeClaim(change, who)
    const { isMember, isConfirmed, hasUnsubscribed } = work.tables.subscribers.get(after.recipient)!
    return hasUnsubscribed || (!isMember && !isConfirmed) ? undefined : `${who} was dropped although it is wanted`
  }

  return {
    invariant: 'reports',
    committed({ work: changes, cause }) {
      const inserted = changes.flatMap((change) => (change.table === 'reportDeliveries' && !change.before ? [change.after] : []))
      const isPrepared = ({ jobId }: MemoryReportDelivery) =>
        changes.some((change) => change.table === 'reportJobs' && change.after.id === jobId && change.after.state === 'prepared')
      const orphan = inserted.find((delivery) => !isPrepared(delivery))
      if (orphan) return `report delivery ${orphan.id} was not inserted together with its job`
      if (cause.by === 'worker' && cause.call === 'reportDeliveries.claim') {
        const unfair = judgeTurns(changes, cause)
        if (unfair !== undefined) return unfair
      }
      return firstOf(changes, (change) => {
        if (change.table === 'reportJobs') return judgeJob(change, cause, inserted)
        return change.table === 'reportDeliveries' ? judgeDelivery(change, cause) : undefined
      })
    },
    ended: () =>
      firstOf([...work.tables.reportJobs.values(), ...work.tables.reportDeliveries.values()], ({ id, state }) =>
        state === 'due' ? `${id} is still due at the end` : undefined,
      ),
  }
}
