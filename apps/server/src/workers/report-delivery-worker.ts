import type { ChannelSender } from '../domain/channels/channel-sender.ts'
import { newId } from '../domain/ids.ts'
import { type AttemptOutcome, decideReportDelivery } from '../domain/reports/decide-report.ts'
import { reportDeliveryAttemptsMax, reportDeliveryDeadlineMs, reportDeliveryLeaseMs } from '../domain/reports/report-policy.ts'
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
}

const lookEveryMs = 15_000
/**
 * All deliveries of a claim are sent in parallel, so that no lease expires while one waits for its turn. They end at about the same time,
 * and are then recorded together.
 */
const deliveriesPerClaim = 5
/** Requests are served by the same cores, so a large report is spread over time: at most 100 deliveries a second. */
const backlogEveryMs = 50
/** Room for deliveries to channels that do not answer, beside which the others go on. */
const deliveriesAtOnce = 20
/** Recipients with the same values follow each other and share their document. */
const contentsKept = 10

interface Outcome {
  outcome: AttemptOutcome
  at: Date
}

/** Report deliveries as a kind of work. */
export function makeReportDeliveryWorker(deps: ReportDeliveryWorkerDeps): Worker {
  const { reportDeliveries, clock, log } = deps
  const readContent = keepLast(contentsKept, (contentId) => reportDeliveries.readContent(contentId))

  /** When the backlog may be continued, by the monotonic clock. */
  let continueMs = -Infinity

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
    async claim({ leaseMs, count, atWork }) {
      if (count < deliveriesPerClaim) return { items: [], next: 'with_room' }
      const waitMs = continueMs - clock.monotonicMs()
      if (waitMs > 0) await clock.sleep(waitMs)
      const { deliveries: items, checkedCount } = await reportDeliveries.claim({ leaseMs, count, heldByOrganization: countHeld(atWork()) })
      if (checkedCount < count) return { items, next: 'when_woken' }
      continueMs = clock.monotonicMs() + backlogEveryMs
      return { items, next: 'again' }
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
