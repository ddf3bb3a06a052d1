import { describe, expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { allowanceAtFirst, allowanceMax } from '../domain/webhooks/sending/allowance.ts'
import { firstRequestPace } from '../domain/webhooks/sending/first-requests.ts'
import { refillEveryMs, refillMax } from '../domain/webhooks/sending/refills.ts'
import { silentPace } from '../domain/webhooks/sending/silence.ts'
import type { Attempt } from '../model/delivery.ts'
import type { DeliveryStore } from '../store/webhooks/delivery-store.ts'
import type { AttemptRecord, ClaimedDelivery, ClaimOptions } from '../model/claimed-delivery.ts'
import { makeSealer } from '../domain/sealing.ts'
import { localWakeups } from '../store/wakeups.ts'
import { fakeNetwork } from '../../testing/fake-network.ts'
import { type DeliveryLimits, makeDeliveryWorker } from './delivery-worker.ts'
import { beginWithinMs } from '../domain/webhooks/sending/delivery-policy.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

function attemptOf(changed: Partial<Attempt> = {}): Attempt {
  return {
    number: 1,
    at: '2026-01-05T09:00:00.000Z',
    durationMs: 5,
    phases: { dnsMs: null, connectMs: null, tlsMs: null, responseMs: 4, bodyMs: 1 },
    signed: { timestamp: '1767603600', signature: `v1=${'5'.repeat(64)}` },
    address: '93.184.216.34',
    status: 200,
    response: '',
    failure: null,
    ...changed,
  }
}

const unanswered = attemptOf({ status: null, durationMs: 10_000, failure: { kind: 'deadline_passed', message: 'No response.' } })
/** Long enough for the first requests to a hundred endpoints. */
const beginAllMs = (1000 * 100) / firstRequestPace.perSecond
const failed = attemptOf({ status: 500, failure: { kind: 'status_not_2xx', message: 'The endpoint responded with 500.' } })

/** A worker with a fake queue of deliveries and attempts that the test completes. It claims only when the test wakes it. */
function start(
  waiting: ClaimedDelivery[],
  options: { onClaim?(clock: ManualClock): void; nextAfterLanes?: string[]; othersInMs?: number[]; limits?: DeliveryLimits } = {},
) {
  const clock = manualClock()
  const claims: ClaimOptions[] = []
  const records: AttemptRecord[] = []
  const released: string[] = []
  const underWay = new Map<string, (attempt: Attempt | null) => Promise<unknown>>()
  const store: DeliveryStore = {
    async claim(claim) {
      claims.push({ ...claim, rooms: new Map(claim.rooms) })
      options.onClaim?.(clock)
      const room = new Map(claim.rooms)
      const deliveries = waiting.filter(({ endpointId }) => {
        const left = room.get(endpointId) ?? claim.roomOfOthers
        room.set(endpointId, left - 1)
        return left > 0
      }).slice(0, claim.count)
      for (const delivery of deliveries) waiting.splice(waiting.indexOf(delivery), 1)
      const othersInMs = options.othersInMs?.shift()
      return { deliveries, nextAfterLane: options.nextAfterLanes?.shift() ?? '', ...(othersInMs !== undefined && { othersInMs }) }
    },
    async record(batch) {
      records.push(...batch)
      return { recorded: new Set(batch.map(({ deliveryId }) => deliveryId)) }
    },
    async release(deliveries) {
      released.push(...deliveries.map(({ id }) => id))
    },
    async holdLeftovers() {},
  }
  const random = seededRandom('deliveries')
  const wakeups = localWakeups()
  const worker = makeDeliveryWorker({
    deliveries: store,
    clock,
    random,
    log: silentLog,
    wakeups,
    network: fakeNetwork(),
    sealer: makeSealer({ secretKey: Buffer.alloc(32, 7), random }),
    addressRules: { ownUrl: new URL('https://querypost.test'), allowedNetworks: [] },
    ...(options.limits && { limits: options.limits }),
    makeAttempt: (delivery, interruption) =>
      new Promise((resolve) => {
        const end = (attempt: Attempt | null) => {
          underWay.delete(delivery.id)
          resolve(attempt)
          return settle()
        }
        underWay.set(delivery.id, end)
        interruption.addEventListener('abort', () => void end(null))
      }),
  })
  worker.start()
  async function look() {
    wakeups.wake('deliveries')
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, worker, store, claims, records, released, underWay, waiting, look }
}

let number = 0
function deliveryTo(endpointId: string): ClaimedDelivery {
  number += 1
  return {
    id: `dlv_${number}`,
    leaseNumber: 1,
    orderKey: null,
    attemptNumber: 1,
    eventId: `evt_${number}`,
    body: '{}',
    endpointId,
    organizationId: 'org_1',
    url: 'https://hooks.example/',
    secret: new Uint8Array(),
  }
}

const many = (count: number, endpointId: string) => Array.from({ length: count }, () => deliveryTo(endpointId))

describe('room', () => {
  test('an endpoint gets no more than its allowance and does not block the others', async () => {
    const { look, underWay, waiting } = start([...many(100, 'we_slow'), ...many(3, 'we_quick')])
    await look()
    expect(underWay.size).toBe(allowanceAtFirst + 3)
    await look()
    expect(underWay.size).toBe(allowanceAtFirst + 3)
    expect(waiting).toHaveLength(100 - allowanceAtFirst)
  })

  test('quick successes widen the allowance, failures narrow it to a single request', async () => {
    const { look, underWay } = start(many(5000, 'we_1'))
    await look()
    expect(underWay.size).toBe(allowanceAtFirst)
    /** Completes all attempts in flight, and returns how many are in flight afterwards. */
    const round = async (attempt: Attempt) => {
      await Promise.all([...underWay.values()].map((end) => end(attempt)))
      await look()
      return underWay.size
    }
    expect([await round(attemptOf()), await round(attemptOf()), await round(attemptOf())]).toEqual([16, allowanceMax, allowanceMax])
    expect([await round(failed), await round(failed), await round(attemptOf())]).toEqual([1, 1, 2])
  })

  test('a claim gives a known endpoint no more than an unknown one, and the next one the rest of its room if that was used up', async () => {
    const { look, underWay, waiting, claims, clock } = start(many(allowanceMax, 'we_1'))
    for (let round = 0; round < 4; round += 1) {
      await look()
      await Promise.all([...underWay.values()].map((end) => end(attemptOf())))
    }
    await clock.advance(1_000)
    const claimCount = claims.length
    waiting.push(deliveryTo('we_1'))
    await look()
    expect(claims.slice(claimCount).map(({ rooms }) => rooms.get('we_1'))).toEqual([allowanceAtFirst])
    await Promise.all([...underWay.values()].map((end) => end(attemptOf())))

    waiting.push(...many(100, 'we_1'))
    await look()
    expect(underWay.size).toBe(allowanceMax)
    expect(claims.slice(claimCount + 1).map(({ rooms }) => rooms.get('we_1'))).toEqual([allowanceAtFirst, allowanceMax - allowanceAtFirst])
  })

  test('a claim names endpoints with room of which more may be due, until it finds no more', async () => {
    const { look, underWay, waiting, claims } = start(many(allowanceAtFirst + 2, 'we_1'))
    await look()
    await look()
    // Without room, it isn't named.
    expect(claims.flatMap(({ unfinished }) => unfinished)).toEqual([])
    await Promise.all([...underWay.values()].map((end) => end(attemptOf())))
    await look()
    expect(waiting).toEqual([])
    expect(claims.map(({ unfinished }) => unfinished)).toContainEqual(['we_1'])
    expect(claims.at(-1)!.unfinished).toEqual([])
  })

  test('a claim that began or ended in the middle of the lanes does not show that an endpoint is finished', async () => {
    const nextAfterLanes: string[] = []
    const { look, underWay, claims } = start(many(allowanceAtFirst, 'we_1'), { nextAfterLanes })
    await look()
    nextAfterLanes.push('we_5')
    await Promise.all([...underWay.values()].map((end) => end(attemptOf())))
    await look()
    const named = claims.map(({ unfinished }) => unfinished.length)
    expect(named.filter((count) => count > 0).length).toBeGreaterThan(1)
    expect(named.at(-1)).toBe(0)
  })

  test('a claim always names endpoints that get events in order', async () => {
    const { look, claims } = start([{ ...deliveryTo('we_1'), orderKey: 'key' }, deliveryTo('we_2')])
    await look()
    await look()
    expect(claims.at(-1)!.unfinished).toEqual(['we_1'])
  })

  test('when a request ends, the worker claims again only if more may be due', async () => {
    const idle = start(many(3, 'we_1'))
    await idle.look()
    const claimCount = idle.claims.length
    for (const end of idle.underWay.values()) await end(attemptOf())
    expect(idle.claims).toHaveLength(claimCount)

    const busy = start([...many(20, 'we_1'), ...many(1, 'we_2')])
    await busy.look()
    // The only delivery to the other endpoint began first.
    const last = [...busy.underWay.values()].at(-1)
    await last!(attemptOf())
    await busy.clock.advance(refillEveryMs)
    await busy.look()
    expect(busy.waiting.length).toBeLessThan(20 - allowanceAtFirst)
  })

  describe('of an endpoint with a backlog', () => {
    async function startBacklog() {
      const worker = start(many(5000, 'we_busy'))
      const answerAll = () => Promise.all([...worker.underWay.values()].map((end) => end(attemptOf())))
      await worker.look()
      // Until its allowance is the largest.
      for (let round = 0; round < 3; round += 1) {
        await answerAll()
        await worker.look()
      }
      expect(worker.underWay.size).toBe(allowanceMax)
      return { ...worker, answerAll }
    }

    test('is used at once when nothing else is delivered', async () => {
      const { underWay, answerAll, look } = await startBacklog()
      await answerAll()
      await look()
      expect(underWay.size).toBe(allowanceMax)
    })

    test('is used at once beside other backlogs, even if a claim ends in the middle of a lane', async () => {
      const endpoints = ['we_1', 'we_2', 'we_3']
      const limits = { inFlightMax: 2048, claimMax: 20, reserved: 256 }
      const { look, underWay } = start(endpoints.flatMap((endpointId) => many(1000, endpointId)), { limits })
      await look()
      for (let round = 0; round < 4; round += 1) {
        await Promise.all([...underWay.values()].map((end) => end(attemptOf())))
        await look()
      }
      expect(underWay.size).toBe(endpoints.length * allowanceMax)
    })

    test('is used in small parts with pauses while others get deliveries, without another wake-up', async () => {
      const { underWay, answerAll, look, waiting, clock } = await startBacklog()
      waiting.unshift(deliveryTo('we_other'))
      await look()
      expect(underWay.size).toBe(allowanceMax + 1)
      await answerAll()
      await clock.advance(refillEveryMs)
      await answerAll()
      for (const size of [refillMax, refillMax]) {
        await clock.advance(refillEveryMs)
        await settle()
        expect(underWay.size).toBe(size)
        await answerAll()
        expect(underWay.size).toBe(0)
      }
    })

    test('is used at once again when the others have had nothing for a second', async () => {
      const { underWay, answerAll, look, waiting, clock } = await startBacklog()
      waiting.unshift(deliveryTo('we_other'))
      await look()
      await answerAll()
      await clock.advance(1_000)
      await answerAll()
      await look()
      expect(underWay.size).toBe(allowanceMax)
    })

    test('is used after the deliveries to others have begun', async () => {
      const { underWay, answerAll, look, waiting, clock } = await startBacklog()
      waiting.unshift(deliveryTo('we_other'))
      await look()
      await answerAll()
      await clock.advance(refillEveryMs)
      await answerAll()
      const other = deliveryTo('we_other')
      waiting.push(other)
      await clock.advance(refillEveryMs)
      await settle()
      expect(underWay.size).toBe(refillMax + 1)
      expect([...underWay.keys()][0]).toBe(other.id)
    })
  })

  test('a lane that was full before the claim is claimed again later', async () => {
    const { look, underWay, waiting, claims } = start(many(20, 'we_1'))
    await look()
    waiting.push(deliveryTo('we_2'))
    await look()
    const claimCount = claims.length
    const [first] = underWay.values()
    await first!(attemptOf())
    await settle()
    expect(claims.length).toBeGreaterThan(claimCount)
  })

  test('a claim that began in the middle of the lanes continues with those before it', async () => {
    const { look, claims } = start([], { nextAfterLanes: ['we_5', '', ''] })
    await look()
    expect(claims.slice(0, 3).map(({ afterLane }) => afterLane)).toEqual(['', 'we_5', ''])
  })

  test('a claim that left lanes out is followed by another when they have their turn', async () => {
    const { claims, clock } = start([], { othersInMs: [200] })
    await settle()
    expect(claims).toHaveLength(1)
    await clock.advance(200)
    expect(claims).toHaveLength(2)
  })

  test('limits the total number of attempts in flight', async () => {
    const waiting = Array.from({ length: 30 }, (_, index) => deliveryTo(`we_${index}`))
    const { look, underWay } = start(waiting, { limits: { inFlightMax: 10, claimMax: 256 } })
    await look()
    expect(underWay.size).toBe(10)
  })

  test('endpoints that hang get one slot each, and leave some to those that answer quickly', async () => {
    const limits = { inFlightMax: 100, claimMax: 25, reserved: 20 }
    const { look, underWay, waiting, clock } = start(many(3, 'we_quick'), { limits })
    await look()
    await Promise.all([...underWay.values()].map((end) => end(attemptOf())))

    waiting.push(...Array.from({ length: 200 }, (_, index) => many(3, `we_${index}`)).flat())
    await look()
    await clock.advance(beginAllMs)
    expect(underWay.size).toBe(80)
    waiting.push(...many(40, 'we_quick'))
    await look()
    const allowance = allowanceAtFirst + 3
    expect(underWay.size).toBe(80 + allowance)

    // It hangs too: it keeps what it has, and is no longer proven.
    await clock.advance(3_000)
    const [first] = underWay.values()
    await first!(failed)
    await look()
    expect(underWay.size).toBe(80 + allowance - 1)

    // As slots become free, the others get them without a wake-up.
    await Promise.all([...underWay.values()].map((end) => end(failed)))
    await clock.advance(beginAllMs)
    expect(underWay.size).toBe(80)
  })

  test('the first requests to many endpoints begin one after the other, and one that answers does not wait for them', async () => {
    const { look, underWay, waiting, clock, released, worker } = start(Array.from({ length: 200 }, (_, index) => deliveryTo(`we_${index}`)))
    await look()
    expect(underWay.size).toBe(firstRequestPace.atOnce)
    const [first] = underWay.values()
    await first!(attemptOf())
    expect(underWay.size).toBe(firstRequestPace.atOnce)

    const toKnown = deliveryTo('we_0')
    waiting.push(toKnown)
    await look()
    expect([...underWay.keys()]).toContain(toKnown.id)

    await clock.advance(500)
    expect(underWay.size).toBe(firstRequestPace.atOnce + 1 + firstRequestPace.perSecond / 2)
    await passTimeUntil(worker.stop({ graceMs: 0 }), clock)
    expect(released).toHaveLength(200)
  })

  test('gives back a delivery that waited too long for its first request', async () => {
    const { look, underWay, clock, released } = start(Array.from({ length: 100 }, (_, index) => deliveryTo(`we_${index}`)))
    await look()
    clock.leap(beginWithinMs + 1)
    await settle()
    await clock.advance(100)
    expect(released).toHaveLength(100 - firstRequestPace.atOnce)
    expect(underWay.size).toBe(firstRequestPace.atOnce)
  })

  test('endpoints whose last request was not answered get few requests together, until they answer', async () => {
    const limits = { inFlightMax: 1_000, claimMax: 256, reserved: 100 }
    const silent = Array.from({ length: 40 }, (_, index) => `we_${index}`)
    const { look, underWay, waiting, clock } = start(silent.map(deliveryTo), { limits })
    await look()
    await clock.advance(beginAllMs)
    await Promise.all([...underWay.values()].map((end) => end(unanswered)))

    waiting.push(...silent.flatMap((endpointId) => many(3, endpointId)), ...many(3, 'we_new'))
    await look()
    expect(underWay.size).toBe(silentPace.atOnce + 3)
    await look()
    expect(underWay.size).toBe(silentPace.atOnce + 3)
    await clock.advance(125)
    await look()
    expect(underWay.size).toBe(silentPace.atOnce + 3 + silentPace.perSecond / 8)

    const [first] = underWay.values()
    await first!(attemptOf())
    await look()
    expect(underWay.size).toBe(silentPace.atOnce + 3 + silentPace.perSecond / 8 + 1)
  })
})

describe('an attempt', () => {
  test('is recorded under its lease with the decision', async () => {
    const { look, underWay, records, clock } = start([deliveryTo('we_1')])
    await look()
    await clock.advance(1000)
    for (const end of underWay.values()) await end(failed)
    expect(records).toHaveLength(1)
    const { decision, endedAgoMs, leaseNumber } = records[0]!
    expect(leaseNumber).toBe(1)
    expect(endedAgoMs).toBe(0)
    expect(decision.state).toBe('pending')
  })

  test.each([
    ['the claim took too long', 1, (clock: ManualClock) => clock.leap(beginWithinMs + 1)],
    ['the claim was slow', 0, (clock: ManualClock) => clock.leap(beginWithinMs)],
    ['the machine was suspended, and its monotonic clock with it', 1, suspendMachine],
  ])('starts only while its lease is sure to outlast it: %s', async (_how, tooLate, onClaim) => {
    const { look, underWay } = start([deliveryTo('we_1')], { onClaim })
    await look()
    expect(underWay.size).toBe(1 - tooLate)
  })
})

function suspendMachine(clock: ManualClock) {
  const before = clock.machineMs
  clock.machineMs = () => before() + beginWithinMs + 1
}

async function passTimeUntil(done: Promise<unknown>, clock: ManualClock) {
  let isDone = false
  void done.finally(() => (isDone = true))
  for (; !isDone; await settle()) await clock.advance(100)
}

describe('stopping', () => {
  test('waits for attempts in flight and records them', async () => {
    const { worker, look, underWay, records, released } = start(many(3, 'we_1'))
    await look()
    const stopped = worker.stop({ graceMs: 5000 })
    for (const end of underWay.values()) await end(attemptOf())
    await stopped
    expect(records).toHaveLength(3)
    expect(released).toEqual([])
  })

  test('interrupts attempts after the grace period and gives their deliveries back', async () => {
    const { worker, look, records, released, clock } = start(many(3, 'we_1'))
    await look()
    const stopped = worker.stop({ graceMs: 5000 })
    await passTimeUntil(stopped, clock)
    expect(records).toEqual([])
    expect(released).toHaveLength(3)
  })

  test('resolves even if deliveries cannot be given back', async () => {
    const { worker, look, store, clock } = start(many(3, 'we_1'))
    await look()
    store.release = () => Promise.reject(new Error('the store is away'))
    const stopped = worker.stop({ graceMs: 5000 })
    await passTimeUntil(stopped, clock)
    expect(clock.monotonicMs()).toBeLessThan(20_000)
  })

  test('claims nothing more', async () => {
    const { worker, look, claims, waiting } = start([])
    await worker.stop({ graceMs: 0 })
    const claimCount = claims.length
    waiting.push(deliveryTo('we_1'))
    await look()
    expect(claims).toHaveLength(claimCount)
  })
})
