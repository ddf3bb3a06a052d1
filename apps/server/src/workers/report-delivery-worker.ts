import type { ChannelSender } from '../domain/channels/channel-sender.ts'
import { newId } from '../domain/ids.ts'
import { type AttemptOutcome, decideReportDelivery } from '../domain/reports/decide-report.ts'
import { reportDeliveryAttemptsMax, reportDeliveryDeadlineMs, reportDeliveryLeaseMs } from '../domain/reports/report-policy.ts'
import { allowedNow } from '../domain/reports/report-pace.ts'
import { takeToken, type TokenBucket } from '../domain/token-bucket.ts'
import type { DeliveryTarget, RenderedReport } from '../model/report.ts'
import type { ClaimedReportDelivery, ReportDeliveryRecord } from '../model/report-work.ts'
import { abortAfter, type Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { yieldToEventLoop } from '../ports/yield-to-event-loop.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { Control, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'
import { countHeld } from './count-held.ts'
import type { ReportDeliveryStore } from './report-stores.ts'
import { makeTurnRound } from './turn-round.ts'

export interface ReportDeliveryWorkerDeps {
  reportDeliveries: ReportDeliveryStore
  /** Undefined if this service cannot send to the target; a sentence says why. */
  senderOf(target: DeliveryTarget): ChannelSender | { reason: string }
  /** Opens the secret of the channel, and makes the link to unsubscribe. */
  targetOf(delivery: ClaimedReportDelivery): DeliveryTarget
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
  reportPace: TokenBucket
}

const lookEveryMs = 15_000
/** Room for deliveries to channels that do not answer, beside which the others go on. */
const deliveriesAtOnce = 20
/** A worker that found nothing waits this many times as long for the next message of a report. */
const idleFactor = 4
/** Also how many are recorded together, if they end at about the same time. */
const deliveriesPerClaim = 5
/** Recipients with the same values follow each other and share their document. */
const contentsKept = 10

interface Outcome {
  outcome: AttemptOutcome
  at: Date
}

/** Report deliveries as a kind of work. */
export function makeReportDeliveryWorker(deps: ReportDeliveryWorkerDeps): Worker {
  const { reportDeliveries, clock, log, reportPace } = deps
  const readContent = keepLast(contentsKept, (contentId) => reportDeliveries.readContent(contentId))

  /** When this process may send as many at once as the pace allows, by the monotonic clock. */
  let fullAtMs: number | undefined
  const round = makeTurnRound()
  /** The next message of a report is due by then, unless the pace is limited by others. */
  const soonMs = 2 * reportPace.regainMs + 100

  async function attempt(delivery: ClaimedReportDelivery, { signal }: Control): Promise<AttemptOutcome> {
    if (delivery.attemptNumber > reportDeliveryAttemptsMax) {
      return { kind: 'refused_for_good', detail: 'Sending was interrupted every time.', isChannelBroken: false }
    }
    const deadline = abortAfter(clock, reportDeliveryDeadlineMs)
    try {
      const to = deps.targetOf(delivery)
      const sender = deps.senderOf(to)
      if ('reason' in sender) return { kind: 'refused_for_good', detail: sender.reason, isChannelBroken: false }
      const content = await readContent(delivery.contentId)
      // Composing a message keeps this thread busy for a moment; let waiting requests run first.
      await yieldToEventLoop()
      return await sender.send({ ...content, deliveryId: messageIdOf(delivery), to }, AbortSignal.any([deadline.signal, signal]))
    } catch (error) {
      if (signal.aborted) return { kind: 'not_sent' }
      if (deadline.signal.aborted) return { kind: 'refused_for_now', detail: `No answer within ${reportDeliveryDeadlineMs / 1000} seconds.` }
      log.error({ err: error, reportDeliveryId: delivery.id }, 'report delivery failed: internal error')
      return { kind: 'refused_for_now', detail: 'An internal error occurred. The operator finds it in the log.' }
    } finally {
      deadline.cancel()
    }
  }

  const kind: WorkKind<ClaimedReportDelivery, Outcome> = {
    name: 'report delivery',
    channel: 'report_deliveries',
    lookEveryMs,
    leaseMs: reportDeliveryLeaseMs,
    inHandMax: deliveriesAtOnce,
    claimMax: deliveriesPerClaim,
    async claim({ leaseMs, count: room, atWork }) {
      const allowed = allowedNow(reportPace, fullAtMs, clock.monotonicMs())
      if (allowed.count <= 0) return { items: [], next: 'when_woken', againInMs: allowed.waitMs }
      const count = Math.min(room, allowed.count)
      const turns = { count, heldByOrganization: countHeld(atWork()), servedOrganizations: round.served() }
      const { deliveries: items, checkedCount, isMoreDueSoon } = await reportDeliveries.claim({ leaseMs, soonMs, ...turns })
      for (const _ of items) fullAtMs = takeToken(reportPace, fullAtMs, clock.monotonicMs()).fullAtMs
      round.add(items)
      if (checkedCount === count) return { items, next: 'again' }
      if (!isMoreDueSoon) return { items, next: 'when_woken' }
      // Of several processes, the one that found something continues. The others look less often, in case it stops.
      return { items, next: 'when_woken', againInMs: reportPace.regainMs * (checkedCount > 0 ? 1 : idleFactor) }
    },
    async carryOut(delivery, control) {
      const at = clock.now()
      return { outcome: await attempt(delivery, control), at }
    },
    abandonment: { afterMs: 1_000, outcomeOf: () => ({ outcome: { kind: 'not_sent' }, at: clock.now() }) },
    recording: { batchMax: deliveriesPerClaim, atOnce: 1 },
    record: (ended) => reportDeliveries.record(ended.map(({ item, outcome, agoMs }) => recordOf(item, outcome, agoMs))),
    onRecorded({ item: delivery, outcome: { outcome } }, isRecorded) {
      const { id: reportDeliveryId, attemptNumber } = delivery
      const next = decideReportDelivery(outcome, delivery).state
      const line = { reportDeliveryId, attemptNumber, outcome: outcome.kind, next }
      if (!isRecorded) log.warn(line, 'report may have been sent twice: recorded by another worker')
      else if (next === 'failed') log.error(line, 'report delivery abandoned after final attempt')
      else log.info(line, 'report delivery attempted')
    },
  }
  return makeWorker(kind, { ...deps, workerId: newId(deps.random, 'worker') })
}

/** The same in every attempt, but another one if someone sends it again: mail programs hide a message that they know. */
const messageIdOf = ({ id, resendCount }: ClaimedReportDelivery) => (resendCount === 0 ? id : `${id}_${resendCount}`)

function recordOf(delivery: ClaimedReportDelivery, { outcome, at }: Outcome, endedAgoMs: number): ReportDeliveryRecord {
  const decision = decideReportDelivery(outcome, delivery)
  if (outcome.kind === 'not_sent') return { delivery, attempt: null, decision, endedAgoMs }
  const attempt = { at: at.toISOString(), outcome: outcome.kind, detail: outcome.detail ?? null }
  return { delivery, attempt, decision, endedAgoMs }
}

/** Keeps the last few documents, which never change. A failed read is not kept. */
function keepLast(count: number, read: (contentId: string) => Promise<RenderedReport>): (contentId: string) => Promise<RenderedReport> {
  const kept = new Map<string, Promise<RenderedReport>>()
  return (contentId) => {
    const content = kept.get(contentId) ?? read(contentId)
    kept.delete(contentId)
    kept.set(contentId, content)
    content.catch(() => kept.delete(contentId))
    if (kept.size > count) kept.delete(kept.keys().next().value!)
    return content
  }
}
