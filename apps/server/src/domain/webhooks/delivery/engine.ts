import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import { fraction, type Random } from '../../../ports/random.ts'
import { allowanceAtFirst, nextAllowance } from './allowance.ts'
import type { MakeAttempt } from './attempt.ts'
import { decide, type Decision } from './decide.ts'
import type { Attempt } from './delivery.ts'
import type { ClaimedDelivery, DeliveryStore } from './delivery-store.ts'
import { beginWithinMs, leaseMs } from './policy.ts'
import { makeRecorder } from './recorder.ts'

/**
 * The delivery engine: claim → send → record. It takes no input: a wake-up says "look", and what is to do stands in the store.
 *
 * - A worker claims no more than it can send at once: overall, and for each endpoint its *allowance*. What it cannot send stays
 *   in the store for others.
 * - What came of an attempt is decided as data (`decide.ts`) and recorded in batches, each under the lease it was made with.
 *   The store refuses what was recorded or given away meanwhile.
 * - A worker that dies takes nothing along: its leases expire, and its deliveries are due again like any other.
 */
export interface DeliveryEngine {
  /** Claims and begins to send while there is something due and room for it. Resolves when there is neither. */
  claimWhileThereIsRoom(): Promise<void>
  /** From now on: while there is always more due, claiming has no end of its own. */
  claimNoMore(): void
  /** Resolves when what is in flight has ended and is recorded; after `graceMs` it is interrupted and given back. */
  stop(options: { graceMs: number }): Promise<void>
}

export interface DeliveryEngineDeps {
  store: DeliveryStore
  makeAttempt: MakeAttempt
  clock: Clock
  random: Random
  log: Log
  workerId: string
  /** There is room again for what had to be left: time to claim. */
  onRoom(): void
  /** Told of every attempt; for metrics. */
  onAttempt?(attempt: Attempt, decision: Decision): void
  /** The simulator gives smaller ones, so that a small world reaches them, and breaks the rule to see itself find out. */
  limits?: EngineLimits
  decide?: typeof decide
}

export interface EngineLimits {
  /** Sockets are cheap; what bounds this is the memory of bodies in flight. */
  inFlightMax: number
  /** One statement's worth. */
  claimMax: number
}

const usualLimits: EngineLimits = { inFlightMax: 1024, claimMax: 256 }
/** What an endpoint was like is forgotten when nothing went to it for so long. */
const laneRememberedMs = 60_000
/** What has been sent is worth a moment more than the grace. */
const recordWithinMs = 1_000

interface Lane {
  inFlight: number
  allowance: number
  usedMs: number
}

export function makeDeliveryEngine(deps: DeliveryEngineDeps): DeliveryEngine {
  const { store, clock, log } = deps
  const { inFlightMax, claimMax } = deps.limits ?? usualLimits
  const decideNext = deps.decide ?? decide
  const lanes = new Map<string, Lane>()
  const attempts = new Set<Promise<unknown>>()
  const interrupted: ClaimedDelivery[] = []
  const interruption = new AbortController()
  const recorder = makeRecorder({ store, clock, log })
  let isStopping = false
  let afterLane = ''
  /** Whether the last look left something due for want of room. If not, there is nothing to do until the next one. */
  let isMoreDue = false

  async function claimWhileThereIsRoom() {
    for (;;) {
      // Recorded first, what has been sent is not claimed and sent again because its lease ran out while the store was away.
      await recorder.catchUp()
      const count = Math.min(claimMax, inFlightMax - attempts.size - recorder.waiting())
      if (isStopping) return
      // Until the claim tells otherwise: what ends meanwhile makes room that it does not know of.
      isMoreDue = true
      if (count <= 0) return
      const now = clock.now()
      const claimedMs = clock.monotonicMs()
      forgetLanes(claimedMs)
      const rooms = new Map([...lanes].map(([endpointId, lane]) => [endpointId, roomOf(lane)]))
      const claim = await store.claim({
        workerId: deps.workerId,
        now,
        leaseExpiresAt: new Date(now.getTime() + leaseMs),
        count,
        afterLane,
        rooms,
        roomOfOthers: allowanceAtFirst,
      })
      const isFromTheFirst = afterLane === ''
      afterLane = claim.nextAfterLane
      for (const delivery of claim.deliveries) begin(delivery, { claimedAt: now, claimedMs })
      isMoreDue = isRoomUsedUp(rooms, claim.deliveries)
      // One that began in the middle has not seen the lanes before it.
      if (isFromTheFirst && afterLane === '' && claim.deliveries.length < count) return
    }
  }

  function forgetLanes(nowMs: number) {
    for (const [endpointId, lane] of lanes) {
      if (lane.inFlight === 0 && nowMs - lane.usedMs > laneRememberedMs) lanes.delete(endpointId)
    }
  }

  function begin(delivery: ClaimedDelivery, claimed: { claimedAt: Date; claimedMs: number }) {
    const lane = lanes.get(delivery.endpointId) ?? { inFlight: 0, allowance: allowanceAtFirst, usedMs: 0 }
    lanes.set(delivery.endpointId, lane)
    lane.inFlight += 1
    lane.usedMs = claimed.claimedMs
    const attempt = send(delivery, lane, claimed)
      .catch((error: unknown) => log.error({ err: error, deliveryId: delivery.id }, 'an attempt failed for a reason of ours'))
      .finally(() => {
        attempts.delete(attempt)
        lane.inFlight -= 1
        if (isMoreDue) deps.onRoom()
      })
    attempts.add(attempt)
  }

  async function send(delivery: ClaimedDelivery, lane: Lane, claimed: { claimedAt: Date; claimedMs: number }) {
    // Both clocks: the monotonic one may stand still while the machine sleeps, the other may be set back.
    const waitedMs = Math.max(clock.monotonicMs() - claimed.claimedMs, clock.now().getTime() - claimed.claimedAt.getTime())
    if (waitedMs > beginWithinMs) return log.warn({ deliveryId: delivery.id, waitedMs }, 'claimed too long ago; left to its lease')
    const attempt = await deps.makeAttempt(delivery, interruption.signal)
    if (!attempt) {
      // One that was not made because the machine stood still is left to its lease, which is over or nearly so.
      if (interruption.signal.aborted) interrupted.push(delivery)
      return
    }
    const now = clock.now()
    const isSuccess = attempt.failure === null
    lane.allowance = nextAllowance(lane.allowance, { isSuccess, durationMs: attempt.durationMs })
    const decision = decideNext({ isSuccess, attemptNumber: delivery.attemptNumber, now, jitter: fraction(deps.random) })
    recorder.record({
      deliveryId: delivery.id,
      leaseNumber: delivery.leaseNumber,
      endpointId: delivery.endpointId,
      attempt,
      decision,
      endedAt: now,
    })
    deps.onAttempt?.(attempt, decision)
    log.info(lineOf(delivery, attempt, decision), 'attempt')
  }

  /** So that another worker need not wait for the leases to expire, as it would if this were not done. */
  async function giveBack() {
    if (interrupted.length === 0) return
    try {
      await store.release(interrupted, clock.now())
    } catch (error) {
      log.warn({ err: error, deliveries: interrupted.length }, 'could not give deliveries back; left to their leases')
    }
  }

  return {
    claimWhileThereIsRoom,
    claimNoMore() {
      isStopping = true
    },
    async stop({ graceMs }) {
      isStopping = true
      const startedMs = clock.monotonicMs()
      const grace = new AbortController()
      const ended = Promise.all(attempts).then(() => grace.abort())
      await clock.sleep(graceMs, grace.signal)
      interruption.abort()
      await ended
      await giveBack()
      const leftMs = graceMs - (clock.monotonicMs() - startedMs)
      await recorder.stop({ graceMs: Math.max(leftMs, recordWithinMs) })
    },
  }
}

/** Whether an endpoint may have more due than it had room for. */
function isRoomUsedUp(rooms: Map<string, number>, claimed: ClaimedDelivery[]): boolean {
  const left = new Map(rooms)
  for (const { endpointId } of claimed) left.set(endpointId, (left.get(endpointId) ?? allowanceAtFirst) - 1)
  return left.values().some((room) => room <= 0)
}

const roomOf = ({ allowance, inFlight }: Lane) => Math.max(0, allowance - inFlight)

/** One wide line an attempt. Neither body nor response: they are the customer's. */
function lineOf(delivery: ClaimedDelivery, attempt: Attempt, decision: Decision) {
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
