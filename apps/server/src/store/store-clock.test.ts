import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openTestStore, type StoreKind, storeKinds, type TestStore } from '../../testing/store/test-store.ts'
import { makeStoreClock, readStoreTime } from './store-clock.ts'
import { storeNow, storeNowPlus } from './store-now.ts'

const minute = 60_000

describe.each(storeKinds)("the store's time on %s", (kind) => {
  let store: TestStore | undefined
  afterEach(() => store?.close())

  test('is the one that a test sets, inside and outside transactions', async () => {
    const clock = manualClock()
    store = await openTestStore(kind, { clock })
    const { db } = store
    const read = async (from = db) => (await sql<{ now: Date }>`select ${storeNow} as now`.execute(from)).rows[0]!.now
    expect(await read()).toEqual(clock.now())
    clock.leap(minute)
    expect(await read()).toEqual(clock.now())
    expect(await db.transaction().execute((tx) => read(tx))).toEqual(clock.now())
    const { rows } = await sql<{ later: Date }>`select ${storeNowPlus(-1500)} as later`.execute(db)
    expect(rows[0]!.later).toEqual(new Date(clock.now().getTime() - 1500))
  })

  test('is the real time otherwise', async () => {
    store = await openTestStore(kind)
    const before = Date.now()
    const { rows } = await sql<{ now: Date }>`select ${storeNow} as now`.execute(store.db)
    expect(Math.abs(rows[0]!.now.getTime() - before)).toBeLessThan(minute)
  })

  test.each([-10 * minute, 0, 10 * minute])('is used by a process whose clock is off by %i ms', async (skewMs) => {
    const { clock, machine, compare } = await skewed(kind, skewMs)
    await compare()
    expect(clock.now()).toEqual(machine.now())
    expect(clock.aheadMs()).toBe(skewMs)
    machine.leap(minute)
    expect(clock.now()).toEqual(machine.now())
  })

  test('is read again after the machine has slept or its clock was changed', async () => {
    const { clock, machine, compare, set } = await skewed(kind, 0)
    await compare()
    // The monotonic clock stood still for an hour.
    const before = machine.monotonicMs
    machine.leap(60 * minute)
    machine.monotonicMs = () => before() - 60 * minute
    clock.now()
    machine.leap(2_000)
    while (clock.now().getTime() !== machine.now().getTime()) await new Promise((resolve) => setImmediate(resolve))
    set(5 * minute)
    machine.leap(2_000)
    expect(clock.now()).toEqual(machine.now())
  })

  /** A process with a skewed clock, next to a store with the right time. */
  async function skewed(on: StoreKind, skewMs: number) {
    const machine = manualClock()
    store = await openTestStore(on, { clock: { now: () => machine.now() } })
    const { db } = store
    let offMs = skewMs
    const wrong = {
      ...machine,
      monotonicMs: () => machine.monotonicMs(),
      machineMs: () => machine.now().getTime() + offMs,
    }
    const clock = makeStoreClock({ clock: wrong, readStoreTime: () => readStoreTime(db), log: silentLog })
    return { clock, machine, compare: clock.compare, set: (ms: number) => (offMs = ms) }
  }
})
