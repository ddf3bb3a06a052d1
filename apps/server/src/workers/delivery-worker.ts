import { allowanceAtFirst, claimableCount, nextAllowance, slowMs, unprovenMax } from '../domain/webhooks/sending/allowance.ts'
import { type AttemptDeps, type MakeAttempt, makeAttempts } from '../domain/webhooks/sending/attempt.ts'
import { decideDelivery } from '../domain/webhooks/sending/decide-delivery.ts'
import type { ClaimedDelivery, DeliveryDecision } from '../model/claimed-delivery.ts'
import type { Attempt } from '../model/delivery.ts'
import type { DeliveryStore } from '../store/webhooks/delivery-store.ts'
import { makeFirstRequests } from '../domain/webhooks/sending/first-requests.ts'
import { isBesideOthers, type Refill, refillEveryMs, refillOf } from '../domain/webhooks/sending/refills.ts'
import { fullBudget, renewBudget, spendBudget } from '../domain/webhooks/sending/request-budget.ts'
import { chooseSilent, silentPace } from '../domain/webhooks/sending/silence.ts'
import { beginWithinMs, deliveryLeaseMs } from '../domain/webhooks/sending/delivery-policy.ts'
import { newId } from '../domain/ids.ts'
import { fraction, type Random } from '../ports/random.ts'
import { currentSpan } from '../ports/telemetry/spans.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { WorkerRegistry } from '../store/workers/worker-registry.ts'
import type { Control, Ended, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'
import { makeWorkerPresence, presenceLookMs, type WorkerPresence } from '../work/worker-presence.ts'

/**
 * Deliveries as a kind of work: claim → send → record.
 *
 * - A worker never claims more than it can send at once, overall and per endpoint (the endpoint's *allowance*). The rest stays in the
 *   store for other workers.
 * - The next state of a delivery is computed by a pure function (`decide-delivery.ts`), then recorded in batches, each under the lease
 *   of its attempt.
 * - An attempt takes at most ten seconds, so its lease is never renewed. When a worker dies, others notice that it is gone and claim what
 *   it had leased (`worker-presence.ts`), or its leases expire.
 */
export interface DeliveryWorkerDeps extends AttemptDeps {
  deliveries: DeliveryStore
  wakeups: Wakeups
  random: Random
  /** Without it, the leases of dead workers have to expire. */
  workerRegistry?: WorkerRegistry | undefined
  /** Called for every attempt, for metrics. */
  onAttempt?(attempt: Attempt, decision: DeliveryDecision): void
  /** For the simulator: smaller limits that a small world can reach, and deliberately broken rules that it must detect. */
  limits?: DeliveryLimits
  decide?: typeof decideDelivery
  makeAttempt?: MakeAttempt
}

export interface DeliveryLimits {
  /** Sockets are cheap; the bound is the memory for bodies in flight. */
  inFlightMax: number
  /** How many deliveries one statement claims at most. */
  claimMax: number
  /** How many of those in flight are only for endpoints that answer quickly (`allowance.ts`). Without them, requests are not paced. */
  reserved?: number
}

const usualLimits: DeliveryLimits = { inFlightMax: 2048, claimMax: 256, reserved: 256 }
/** How often to look for deliveries without a wake-up: retries that have become due, and deliveries whose wake-up was lost. */
const lookEveryMs = 1_000
const holdEveryMs = 30_000
const forgetEveryMs = 1_000
/**
 * How long a lane gets all of its room after it has used it up. A claim gives the others no more than an unknown endpoint gets, so that it need not list
 * them: with a hundred endpoints, PostgreSQL spent a quarter of a claim on reading the list.
 */
const allRoomMs = 1_000
/** An endpoint's allowance is forgotten after this long without an attempt, and that it was silent after a longer time. */
const laneRememberedMs = 60_000
const silenceRememberedMs = 600_000
const recordMax = 500

/** `given_back`: the attempt was not made because the worker is stopping. */
type Outcome = { kind: 'attempted'; attempt: Attempt; decision: DeliveryDecision } | { kind: 'given_back' }

interface Lane extends Refill {
  endpointId: string
  inFlight: number
  allowance: number
  usedMs: number
  /** Whether its last attempt was a quick success. */
  isQuick: boolean
  /** Since when it has answered nothing, while requests are in flight. */
  silentSinceMs: number
  /** Whether its last attempt was not answered (`silence.ts`); undefined before its first attempt has ended (`first-requests.ts`). */
  isSilent: boolean | undefined
  /** When a claim last used up what it was given. */
  usedUpMs: number
  /** Whether the latest claim gave it less than its room. */
  isCapped: boolean
  /** Whether more may be due than its latest claim took. */
  isUnfinished: boolean
  /** Whether it gets events in order: the next one of a key becomes due when the one before has been delivered. */
  isOrdered: boolean
}

export function makeDeliveryWorker(deps: DeliveryWorkerDeps): Worker {
  const workerId = newId(deps.random, 'worker')
  const { workerRegistry: registry } = deps
  const presence =
    registry &&
    makeWorkerPresence({
      registry,
      clock: deps.clock,
      workerIds: { present: newId(deps.random, 'worker'), other: workerId },
    })
  return makeWorker(deliveryKind(deps, presence), { ...deps, workerId })
}

function deliveryKind(deps: DeliveryWorkerDeps, presence: WorkerPresence | undefined): WorkKind<ClaimedDelivery, Outcome> {
  const { deliveries, clock, log } = deps
  const { inFlightMax, claimMax, reserved = 0 } = deps.limits ?? usualLimits
  const decideNext = deps.decide ?? decideDelivery
  const makeAttempt = deps.makeAttempt ?? makeAttempts(deps)
  const lanes = new Map<string, Lane>()
  /**
   * The room of each lane in the latest claim. The map is filled again for each claim, because a worker makes hundreds of claims a second
   * and may have thousands of lanes: new maps and lists were almost half of the memory that it allocated, and a pause to collect it is
   * longer than a claim.
   */
  const rooms = new Map<string, number>()
  let inFlight = 0
  let forgotMs = 0
  /** When a claim last found deliveries to an endpoint that was not busy (`refills.ts`). */
  let servedOthersMs = -Infinity
  let afterLane = ''
  const firstRequests = makeFirstRequests(deps)
  let silenceBudget = fullBudget(silentPace)

  function forgetLanes(nowMs: number) {
    if (nowMs - forgotMs < forgetEveryMs) return
    forgotMs = nowMs
    for (const lane of lanes.values()) {
      const rememberedMs = lane.isSilent ? silenceRememberedMs : laneRememberedMs
      if (lane.inFlight > 0 || nowMs - lane.usedMs <= rememberedMs) continue
      lanes.delete(lane.endpointId)
      rooms.delete(lane.endpointId)
    }
  }

  const isPaced = reserved > 0
  const isHeldBack = (lane: Lane) => isPaced && lane.isSilent === true

  /** Returns whether there is an endpoint without room, which may have more due deliveries, and when the first busy lane is refilled. */
  function fillRooms(nowMs: number, unproven: number): { isOneFull: boolean; refillAtMs: number; unfinished: string[] } {
    const unfinished: string[] = []
    const isBeside = isPaced && isBesideOthers(servedOthersMs, nowMs)
    let isOneFull = false
    let refillAtMs = Infinity
    for (const lane of lanes.values()) {
      const room = isHeldBack(lane) ? 0 : roomOf(lane, isProven(lane, nowMs) ? lane.allowance : unproven)
      // Silent endpoints wait for the next look: they have no more room when a request to another endpoint ends.
      if (room === 0 && !isHeldBack(lane)) {
        isOneFull = true
        lane.isUnfinished = true
      }
      const most = nowMs - lane.usedUpMs < allRoomMs ? room : Math.min(room, allowanceAtFirst)
      lane.isCapped = most < room
      const given = isBeside ? refillOf(lane, most, nowMs) : most
      rooms.set(lane.endpointId, given)
      if (given === 0 && room > 0) refillAtMs = Math.min(refillAtMs, lane.refillAtMs)
      // The claim shows whether the lane still is.
      if (given > 0) lane.isBusy = false
      if (given > 0 && (lane.isUnfinished || lane.isOrdered)) unfinished.push(lane.endpointId)
    }
    return { isOneFull, refillAtMs, unfinished }
  }

  function chooseTried(): Lane[] {
    if (!isPaced || silenceBudget.requests < 1) return []
    const idle: Lane[] = []
    for (const lane of lanes.values()) if (lane.isSilent && lane.inFlight === 0) idle.push(lane)
    return chooseSilent(idle, silenceBudget)
  }

  /**
   * Notes which lanes have used up what they were given. Returns whether an endpoint may have more due deliveries than it had room for, or
   * than it was given of its room.
   */
  function noteUsed(counts: ReadonlyMap<string, number>, claim: { roomOfOthers: number; isFull: boolean; nowMs: number }) {
    let isMoreDue = false
    let isMoreWithRoom = false
    let hasOthers = false
    for (const endpointId of counts.keys()) {
      const lane = laneOf(endpointId)
      if (lane.isSilent) continue
      const isUsedUp = counts.get(endpointId)! >= (rooms.get(endpointId) ?? claim.roomOfOthers)
      lane.isUnfinished = isUsedUp
      hasOthers ||= !isUsedUp
      if (!isUsedUp) continue
      lane.usedUpMs = claim.nowMs
      if (lane.isCapped) {
        isMoreWithRoom = true
        continue
      }
      isMoreDue = true
      lane.isBusy = true
      lane.refillAtMs = claim.nowMs + refillEveryMs
    }
    // A full claim has not seen how much is due in the lanes that it reached last.
    if (hasOthers && !claim.isFull) servedOthersMs = claim.nowMs
    return { isMoreDue, isMoreWithRoom }
  }

  /** These were visited, and nothing is left in those that got nothing. */
  function noteFinished(unfinished: readonly string[], counts: ReadonlyMap<string, number>) {
    for (const endpointId of unfinished) if (!counts.has(endpointId)) laneOf(endpointId).isUnfinished = false
  }

  function laneOf(endpointId: string): Lane {
    const known = lanes.get(endpointId)
    if (known) return known
    const lane = newLane(endpointId)
    lanes.set(endpointId, lane)
    return lane
  }

  function enterLane(delivery: ClaimedDelivery): Lane {
    const lane = laneOf(delivery.endpointId)
    lane.usedMs = clock.monotonicMs()
    lane.isOrdered = delivery.orderKey !== null
    if (lane.inFlight === 0) lane.silentSinceMs = lane.usedMs
    lane.inFlight += 1
    inFlight += 1
    return lane
  }

  async function carryOut(delivery: ClaimedDelivery, control: Control): Promise<Outcome | undefined> {
    const lane = enterLane(delivery)
    try {
      return await send(delivery, lane, control)
    } finally {
      lane.inFlight -= 1
      inFlight -= 1
    }
  }

  /** Waits for the turn of a first request; false if that took too long. */
  async function mayBegin(delivery: ClaimedDelivery, lane: Lane, control: Control): Promise<boolean> {
    if (lane.isSilent !== undefined || !isPaced) return true
    await firstRequests.enter(delivery, { withinMs: beginWithinMs - control.sinceClaimMs(), signal: control.signal })
    return !control.interruption() && control.sinceClaimMs() <= beginWithinMs
  }

  async function send(delivery: ClaimedDelivery, lane: Lane, control: Control): Promise<Outcome | undefined> {
    const waitedMs = control.sinceClaimMs()
    if (waitedMs > beginWithinMs) {
      log.warn({ deliveryId: delivery.id, waitedMs }, 'delivery claimed too long ago; waiting for its lease to expire')
      return undefined
    }
    if (!(await mayBegin(delivery, lane, control))) return { kind: 'given_back' }
    const attempt = await makeAttempt(delivery, control.signal)
    // No attempt and no interruption: the machine was suspended. The lease has expired or is about to, so there is nothing to record.
    if (!attempt) return control.interruption() ? { kind: 'given_back' } : undefined
    const isSuccess = attempt.failure === null
    lane.allowance = nextAllowance(lane.allowance, { isSuccess, durationMs: attempt.durationMs })
    lane.isQuick = isSuccess && attempt.durationMs < slowMs
    noteSilence(lane, attempt)
    lane.silentSinceMs = clock.monotonicMs()
    const decision = decideNext({ isSuccess, attemptNumber: delivery.attemptNumber, jitter: fraction(deps.random) })
    deps.onAttempt?.(attempt, decision)
    traceAttempt(delivery, attempt)
    log.info(attemptDetails(delivery, attempt, decision), isSuccess ? 'delivery attempt succeeded' : 'delivery attempt failed')
    return { kind: 'attempted', attempt, decision }
  }

  function noteSilence(lane: Lane, { status, durationMs }: Attempt) {
    const wasUnknown = lane.isSilent === undefined
    lane.isSilent = status === null && durationMs >= slowMs
    if (wasUnknown && !lane.isSilent) firstRequests.answers(lane.endpointId)
  }

  async function record(ended: Ended<ClaimedDelivery, Outcome>[]): Promise<ReadonlySet<string>> {
    const givenBack = ended.filter(({ outcome }) => outcome.kind === 'given_back').map(({ item }) => item)
    const attempted = ended.flatMap(({ item, outcome, agoMs }) =>
      outcome.kind === 'given_back' ? [] : [{ ...recordOf(item), ...outcome, endedAgoMs: agoMs }],
    )
    // Release, so that another worker does not have to wait for the leases to expire.
    if (givenBack.length > 0) await deliveries.release(givenBack)
    const { recorded } = attempted.length > 0 ? await deliveries.record(attempted) : { recorded: new Set<string>() }
    return givenBack.length > 0 ? new Set([...recorded, ...givenBack.map(({ id }) => id)]) : recorded
  }

  return {
    name: 'delivery',
    channel: 'deliveries',
    lookEveryMs,
    leaseMs: deliveryLeaseMs,
    inHandMax: inFlightMax,
    claimMax,
    async claim({ workerId, count: countMax }) {
      const nowMs = clock.monotonicMs()
      forgetLanes(nowMs)
      const slots = { inFlight, inFlightMax, reserved }
      const count = claimableCount(slots, countMax)
      const unproven = unprovenMax(slots)
      const roomOfOthers = Math.min(allowanceAtFirst, unproven)
      const { isOneFull: isKnownFull, refillAtMs, unfinished } = fillRooms(nowMs, unproven)
      const isOneFull = isKnownFull || roomOfOthers === 0
      silenceBudget = renewBudget(silenceBudget, silentPace, nowMs)
      const tried = chooseTried()
      for (const { endpointId } of tried) rooms.set(endpointId, Math.min(1, unproven))
      if (unproven > 0) unfinished.push(...tried.map(({ endpointId }) => endpointId))
      const isFromTheFirst = afterLane === ''
      const claim = await deliveries.claim({
        workerId: presence?.workerId() ?? workerId,
        leaseMs: deliveryLeaseMs,
        count,
        afterLane,
        rooms,
        roomOfOthers,
        unfinished,
        goneWorkers: presence?.goneWorkers() ?? [],
      })
      afterLane = claim.nextAfterLane
      silenceBudget = spendBudget(silenceBudget, countTo(tried, claim.deliveries))
      // A claim that began in the middle has not seen the lanes before it.
      const isWholeRound = isFromTheFirst && afterLane === '' && claim.deliveries.length < count && !claim.hasParked
      const counts = countByLane(claim.deliveries)
      if (isWholeRound) noteFinished(unfinished, counts)
      const { isMoreDue, isMoreWithRoom } = noteUsed(counts, { roomOfOthers, isFull: claim.deliveries.length >= count, nowMs })
      if (!isWholeRound || isMoreWithRoom) return { items: claim.deliveries, next: 'again' }
      if (!isPaced || !isBesideOthers(servedOthersMs, nowMs)) {
        return { items: claim.deliveries, next: isOneFull || isMoreDue ? 'with_room' : 'when_woken', againInMs: claim.othersInMs }
      }
      // Deliveries to endpoints that get only a few begin first.
      const items = claim.deliveries.toSorted((a, b) => counts.get(a.endpointId)! - counts.get(b.endpointId)!)
      const againAtMs = Math.min(refillAtMs, isMoreDue ? nowMs + refillEveryMs : Infinity)
      const refillInMs = Math.max(0, againAtMs - clock.monotonicMs())
      const againInMs = Math.min(claim.othersInMs ?? Infinity, refillInMs)
      return { items, next: isOneFull ? 'with_room' : 'when_woken', againInMs: againInMs === Infinity ? undefined : againInMs }
    },
    carryOut,
    abandonment: { afterMs: 1_000, outcomeOf: () => ({ kind: 'given_back' }) },
    recording: { batchMax: recordMax, atOnce: 1 },
    record,
    duties: [
      { what: 'hold deliveries of disabled endpoints', everyMs: holdEveryMs, act: () => deliveries.holdLeftovers() },
      ...(presence ? [{ what: 'look for workers that are gone', everyMs: presenceLookMs, channel: 'sessions' as const, act: presence.look }] : []),
    ],
  }
}

function traceAttempt(delivery: ClaimedDelivery, { number, status, failure }: Attempt) {
  const span = currentSpan()
  span.set({
    'querypost.organization.id': delivery.organizationId,
    'querypost.event.id': delivery.eventId,
    'querypost.endpoint.id': delivery.endpointId,
    'querypost.attempt': number,
    'http.response.status_code': status,
  })
  if (failure) span.fail(failure.kind)
}

const recordOf = ({ id, leaseNumber, endpointId, orderKey }: ClaimedDelivery) => ({ deliveryId: id, leaseNumber, endpointId, orderKey })

const newLane = (endpointId: string): Lane => ({
  endpointId,
  inFlight: 0,
  allowance: allowanceAtFirst,
  usedMs: 0,
  isQuick: false,
  silentSinceMs: 0,
  isSilent: undefined,
  isBusy: false,
  refillAtMs: 0,
  usedUpMs: -Infinity,
  isCapped: false,
  isUnfinished: false,
  isOrdered: false,
})

function countByLane(claimed: readonly ClaimedDelivery[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
  return counts
}

function countTo(lanes: readonly Lane[], claimed: readonly ClaimedDelivery[]): number {
  if (lanes.length === 0) return 0
  const ids = new Set(lanes.map(({ endpointId }) => endpointId))
  return claimed.filter(({ endpointId }) => ids.has(endpointId)).length
}

const isProven = ({ isQuick, inFlight, silentSinceMs }: Lane, nowMs: number) =>
  isQuick && (inFlight === 0 || nowMs - silentSinceMs < slowMs)

const roomOf = ({ allowance, inFlight }: Lane, max: number) => Math.max(0, Math.min(allowance, max) - inFlight)

/** One wide log line per attempt. Contains neither body nor response, which are the customer's data. */
function attemptDetails(delivery: ClaimedDelivery, attempt: Attempt, decision: DeliveryDecision) {
  return {
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    endpointId: delivery.endpointId,
    organizationId: delivery.organizationId,
    number: attempt.number,
    durationMs: attempt.durationMs,
    ...attempt.phases,
    address: attempt.address,
    status: attempt.status,
    failure: attempt.failure?.kind,
    next: decision.state,
  }
}
