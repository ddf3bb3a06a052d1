import { describe, expect, test } from 'vitest'
import { type ManualClock, manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { allowanceAtFirst, allowanceMax } from './allowance.ts'
import type { Attempt } from './delivery.ts'
import type { AttemptRecord, ClaimedDelivery, ClaimOptions, DeliveryStore } from './delivery-store.ts'
import { makeDeliveryEngine } from './engine.ts'
import { beginWithinMs } from './policy.ts'

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
const failed = attemptOf({ status: 500, failure: { kind: 'status_not_2xx', message: 'The endpoint answered 500.' } })

/** An engine between a store with a queue of deliveries and attempts that the test ends by hand. */
function start(waiting: ClaimedDelivery[], options: { onClaim?(clock: ManualClock): void; nextAfterLanes?: string[] } = {}) {
  const clock = manualClock()
  const claims: ClaimOptions[] = []
  const records: AttemptRecord[] = []
  const released: string[] = []
  const looks = { count: 0 }
  const underWay = new Map<string, (attempt: Attempt | null) => Promise<unknown>>()
  const store: DeliveryStore = {
    async claim(claim) {
      claims.push(claim)
      options.onClaim?.(clock)
      const room = new Map(claim.rooms)
      const deliveries = waiting.filter(({ endpointId }) => {
        const left = room.get(endpointId) ?? claim.roomOfOthers
        room.set(endpointId, left - 1)
        return left > 0
      }).slice(0, claim.count)
      for (const delivery of deliveries) waiting.splice(waiting.indexOf(delivery), 1)
      return { deliveries, nextAfterLane: options.nextAfterLanes?.shift() ?? '' }
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
  const engine = makeDeliveryEngine({
    store,
    clock,
    random: seededRandom('engine'),
    log: silentLog,
    workerId: 'worker_1',
    onRoom: () => void (looks.count += 1),
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
  return { clock, engine, store, claims, records, released, underWay, waiting, looks }
}

let number = 0
function deliveryTo(endpointId: string): ClaimedDelivery {
  number += 1
  return {
    id: `dlv_${number}`,
    leaseNumber: 1,
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
  test('an endpoint gets its allowance and no more, and another is not kept waiting by it', async () => {
    const { engine, underWay, waiting } = start([...many(100, 'we_slow'), ...many(3, 'we_quick')])
    await engine.claimWhileThereIsRoom()
    expect(underWay.size).toBe(allowanceAtFirst + 3)
    await engine.claimWhileThereIsRoom()
    expect(underWay.size).toBe(allowanceAtFirst + 3)
    expect(waiting).toHaveLength(100 - allowanceAtFirst)
  })

  test('quick successes widen the allowance, failures narrow it to a single request', async () => {
    const { engine, underWay } = start(many(5000, 'we_1'))
    const round = async (attempt: Attempt) => {
      await engine.claimWhileThereIsRoom()
      const inFlight = underWay.size
      for (const end of underWay.values()) await end(attempt)
      return inFlight
    }
    const widening = [await round(attemptOf()), await round(attemptOf()), await round(attemptOf()), await round(attemptOf())]
    expect(widening).toEqual([8, 16, allowanceMax, allowanceMax])
    expect([await round(failed), await round(failed), await round(attemptOf())]).toEqual([allowanceMax, 1, 1])
  })

  test('when a request ends, the engine looks for more where more may be due, and only there', async () => {
    const idle = start(many(3, 'we_1'))
    await idle.engine.claimWhileThereIsRoom()
    for (const end of idle.underWay.values()) await end(attemptOf())
    expect(idle.looks.count).toBe(0)

    const busy = start([...many(20, 'we_1'), ...many(1, 'we_2')])
    await busy.engine.claimWhileThereIsRoom()
    for (const end of busy.underWay.values()) await end(attemptOf())
    expect(busy.looks.count).toBe(allowanceAtFirst + 1)
  })

  test('a lane that was full before the claim is not forgotten by it', async () => {
    const { engine, underWay, looks, waiting } = start(many(20, 'we_1'))
    await engine.claimWhileThereIsRoom()
    waiting.push(deliveryTo('we_2'))
    await engine.claimWhileThereIsRoom()
    const [first] = underWay.values()
    await first!(attemptOf())
    expect(looks.count).toBe(1)
  })

  test('a look that began in the middle of the lanes goes on with those before it', async () => {
    const { engine, claims } = start([], { nextAfterLanes: ['we_5', '', ''] })
    await engine.claimWhileThereIsRoom()
    expect(claims.map(({ afterLane }) => afterLane)).toEqual(['', 'we_5', ''])
  })

  test('there is an end to what is in flight altogether', async () => {
    const { engine, underWay } = start(Array.from({ length: 3000 }, (_, index) => deliveryTo(`we_${index}`)))
    await engine.claimWhileThereIsRoom()
    expect(underWay.size).toBe(1024)
  })
})

describe('an attempt', () => {
  test('is recorded under its lease with what was decided', async () => {
    const { engine, underWay, records, clock } = start([deliveryTo('we_1')])
    await engine.claimWhileThereIsRoom()
    await clock.advance(1000)
    for (const end of underWay.values()) await end(failed)
    expect(records).toHaveLength(1)
    const { decision, endedAt, leaseNumber } = records[0]!
    expect(leaseNumber).toBe(1)
    expect(endedAt).toEqual(clock.now())
    expect(decision.state).toBe('pending')
  })

  test.each([
    ['the claim took too long', 1, (clock: ManualClock) => clock.leap(beginWithinMs + 1)],
    ['the claim took its time', 0, (clock: ManualClock) => clock.leap(beginWithinMs)],
    ['the machine slept, and its monotonic clock with it', 1, sleepOfTheMachine],
  ])('is begun only while its lease is sure to outlast it: %s', async (_how, tooLate, onClaim) => {
    const { engine, underWay } = start([deliveryTo('we_1')], { onClaim })
    await engine.claimWhileThereIsRoom()
    expect(underWay.size).toBe(1 - tooLate)
  })
})

function sleepOfTheMachine(clock: ManualClock) {
  const before = clock.now
  clock.now = () => new Date(before().getTime() + beginWithinMs + 1)
}

describe('stopping', () => {
  test('waits for what is in flight and records it', async () => {
    const { engine, underWay, records, released } = start(many(3, 'we_1'))
    await engine.claimWhileThereIsRoom()
    const stopped = engine.stop({ graceMs: 5000 })
    for (const end of underWay.values()) await end(attemptOf())
    await stopped
    expect(records).toHaveLength(3)
    expect(released).toEqual([])
  })

  test('after the grace it interrupts, and gives back what it had', async () => {
    const { engine, records, released, clock } = start(many(3, 'we_1'))
    await engine.claimWhileThereIsRoom()
    const stopped = engine.stop({ graceMs: 5000 })
    await clock.advance(5000)
    await stopped
    expect(records).toEqual([])
    expect(released).toHaveLength(3)
  })

  test('what cannot be given back is left to its lease', async () => {
    const { engine, store, clock } = start(many(3, 'we_1'))
    await engine.claimWhileThereIsRoom()
    store.release = () => Promise.reject(new Error('the store is away'))
    const stopped = engine.stop({ graceMs: 5000 })
    await clock.advance(5000)
    await expect(stopped).resolves.toBeUndefined()
  })

  test('claims nothing any more', async () => {
    const { engine, claims } = start(many(3, 'we_1'))
    await engine.stop({ graceMs: 0 })
    await engine.claimWhileThereIsRoom()
    expect(claims).toEqual([])
  })
})
