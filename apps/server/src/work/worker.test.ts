import { describe, expect, test } from 'vitest'
import { StoreUnavailable } from '../store/store-unavailable.ts'
import { localWakeups } from '../store/wakeups.ts'
import { type ManualClock, manualClock } from '../../testing/manual-clock.ts'
import { silentLog } from '../../testing/silent-log.ts'
import type { Control, Ended, Interruption, Item, WorkKind } from './kind.ts'
import { makeWorker } from './worker.ts'

const leaseMs = 30_000
const renewEveryMs = 10_000

interface Task {
  item: Item
  control: Control
  end(outcome: string | undefined): void
  fail(error: unknown): void
}

/** A worker with a fake store and tasks that the test completes. An interrupted task reports why. */
function start(options: Partial<WorkKind<Item, string>> = {}) {
  const clock = manualClock()
  const wakeups = localWakeups()
  const store = {
    due: [] as string[],
    /** While set, the store fails with this. */
    failure: undefined as Error | undefined,
    isLeaseGone: (_id: string) => false,
    recorded: [] as string[],
    recoveries: 0,
    renewals: [] as string[][],
    stops: [] as { id: string; userId: string; by: string }[],
  }
  const tasks: Task[] = []
  const followUps: string[] = []
  let claimCount = 0
  let ignoresInterruption = false
  async function ask<Answer>(answer: () => Answer): Promise<Answer> {
    if (store.failure) throw store.failure
    return answer()
  }
  const kind: WorkKind<Item, string> = {
    name: 'task',
    channel: 'runs',
    lookEveryMs: 2_000,
    leaseMs,
    inHandMax: 2,
    claimMax: 2,
    claim: ({ count }) =>
      ask(() => {
        const items = store.due.splice(0, count).map((id) => ({ id, leaseNumber: ++claimCount }))
        return { items, next: items.length > 0 ? 'again' : 'with_room' }
      }),
    carryOut: (item, control) =>
      new Promise((resolve, reject) => {
        tasks.push({ item, control, end: resolve, fail: reject })
        control.signal.addEventListener('abort', () => {
          if (!ignoresInterruption) resolve(`interrupted: ${control.interruption()?.kind}`)
        })
      }),
    abandonment: { afterMs: 5_000, outcomeOf: (_, why: Interruption) => `abandoned: ${why.kind}` },
    recording: { batchMax: 1, atOnce: 2 },
    record: (ended) =>
      ask(() => {
        const held = ended.filter(({ item }) => !store.isLeaseGone(item.id))
        store.recorded.push(...held.map(({ item, outcome }) => `${item.id} ${outcome}`))
        return new Set(held.map(({ item }) => item.id))
      }),
    onRecorded: ({ item }: Ended<Item, string>, isRecorded) => void followUps.push(`${item.id} ${isRecorded}`),
    renewal: {
      everyMs: renewEveryMs,
      renew: ({ items }) =>
        ask(() => {
          const held = items.map(({ id }) => id).filter((id) => !store.isLeaseGone(id))
          store.renewals.push(held)
          return new Set(held)
        }),
      recover: () => ask(() => void (store.recoveries += 1)),
    },
    stops: { channel: 'run_stops', everyMs: 2_000, read: () => ask(() => store.stops) },
    ...options,
  }
  const worker = makeWorker(kind, { clock, log: silentLog, wakeups, workerId: 'worker_1' })
  worker.start()
  return {
    clock,
    store,
    tasks,
    followUps,
    worker,
    wakeups,
    async add(...ids: string[]) {
      store.due.push(...ids)
      wakeups.wake('runs')
      await settle()
    },
    ignoreInterruptions: () => (ignoresInterruption = true),
  }
}

async function settle() {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

async function pass(clock: ManualClock, ms: number) {
  for (let passed = 0; passed < ms; passed += 500) {
    await clock.advance(500)
    await settle()
  }
}

async function passUntil(clock: ManualClock, done: Promise<unknown>) {
  let isDone = false
  void done.finally(() => (isDone = true))
  while (!isDone) await pass(clock, 500)
}

const away = () => new StoreUnavailable('away')

describe('claiming', () => {
  test('holds no more items than its limit, and claims the next when one has been recorded', async () => {
    const { add, tasks, store } = start()
    await add('a', 'b', 'c')
    expect(tasks.map(({ item }) => item.id)).toEqual(['a', 'b'])
    tasks[0]!.end('done')
    await settle()
    expect(store.recorded).toEqual(['a done'])
    expect(tasks.map(({ item }) => item.id)).toEqual(['a', 'b', 'c'])
  })

  test('counts items that wait to be recorded', async () => {
    const { add, tasks, store, clock } = start()
    await add('a', 'b', 'c')
    store.failure = away()
    tasks[0]!.end('done')
    await pass(clock, 3_000)
    expect(tasks).toHaveLength(2)
    store.failure = undefined
    await pass(clock, 3_000)
    expect(tasks).toHaveLength(3)
  })
})

describe('an item', () => {
  test('that throws is not recorded, and the others continue', async () => {
    const { add, tasks, store } = start()
    await add('a', 'b', 'c')
    tasks[0]!.fail(new Error('a bug'))
    await settle()
    expect(tasks.map(({ item }) => item.id)).toEqual(['a', 'b', 'c'])
    tasks[1]!.end('done')
    await settle()
    expect(store.recorded).toEqual(['b done'])
  })

  test('is interrupted at its time limit, or when a person stops it', async () => {
    const { add, tasks, store, clock, wakeups } = start({ timeLimitSeconds: 60 })
    await add('a', 'b')
    store.stops.push({ id: 'b', userId: 'user_1', by: 'Ada' })
    wakeups.wake('run_stops')
    await settle()
    expect(tasks[1]!.control.interruption()).toEqual({ kind: 'stopped', userId: 'user_1', by: 'Ada' })
    await pass(clock, 60_000)
    expect(store.recorded).toEqual(['b interrupted: stopped', 'a interrupted: time_limit'])
  })

  test('that ignores its interruption is abandoned, and its later outcome is ignored', async () => {
    const { add, tasks, store, clock, ignoreInterruptions } = start({ timeLimitSeconds: 60 })
    ignoreInterruptions()
    await add('a')
    await pass(clock, 64_500)
    expect(store.recorded).toEqual([])
    await pass(clock, 500)
    expect(store.recorded).toEqual(['a abandoned: time_limit'])
    tasks[0]!.end('late')
    await pass(clock, 5_000)
    expect(store.recorded).toEqual(['a abandoned: time_limit'])
  })
})

describe('a lease', () => {
  test('is renewed while the item runs, and while its outcome cannot be recorded', async () => {
    const { add, tasks, store, clock } = start({
      record: () => Promise.reject(new Error('this one cannot be written')),
    })
    await add('a')
    await pass(clock, renewEveryMs)
    tasks[0]!.end('done')
    await pass(clock, 3 * renewEveryMs)
    expect(store.renewals.slice(-3)).toEqual([['a'], ['a'], ['a']])
  })

  test('that is lost interrupts the item, and its outcome is rejected', async () => {
    const { add, store, clock, followUps } = start()
    await add('a')
    store.isLeaseGone = () => true
    await pass(clock, renewEveryMs)
    expect(store.recorded).toEqual([])
    expect(followUps).toEqual(['a false'])
  })

  test('that cannot be renewed in time interrupts the item without a call to the store', async () => {
    const { add, tasks, store, clock } = start()
    await add('a')
    store.failure = away()
    await pass(clock, leaseMs - 6_000)
    expect(tasks[0]!.control.interruption()).toBeUndefined()
    await pass(clock, 11_000)
    expect(tasks[0]!.control.interruption()).toEqual({ kind: 'lease_lost' })
  })
})

describe('a claim that is not committed yet', () => {
  const claimOf = (committed: Promise<void>) => {
    let isDue = true
    return async () => {
      const items = isDue ? [{ id: 'a', leaseNumber: 1, committed }] : []
      isDue = false
      return { items, next: 'with_room' as const }
    }
  }

  test('starts the item, but neither renews its lease nor records its outcome', async () => {
    const commit = Promise.withResolvers<void>()
    const { tasks, store, clock } = start({ claim: claimOf(commit.promise) })
    await settle()
    await pass(clock, renewEveryMs)
    tasks[0]!.end('done')
    await settle()
    expect(store.renewals).toEqual([])
    expect(store.recorded).toEqual([])
    commit.resolve()
    await settle()
    expect(store.recorded).toEqual(['a done'])
  })

  test('interrupts the item if it is lost, and records nothing', async () => {
    const commit = Promise.withResolvers<void>()
    const { tasks, store, followUps } = start({ claim: claimOf(commit.promise) })
    await settle()
    commit.reject(away())
    await settle()
    expect(tasks[0]!.control.interruption()).toEqual({ kind: 'lease_lost' })
    expect(store.recorded).toEqual([])
    expect(followUps).toEqual([])
  })
})

describe('an outage of the store', () => {
  test.each([1_000, 30_000, 120_000])('of %i ms loses no outcome', async (ms) => {
    const { add, tasks, store, clock } = start()
    await add('a')
    store.failure = away()
    tasks[0]!.end('done')
    await pass(clock, ms)
    store.failure = undefined
    await pass(clock, 2_000)
    expect(store.recorded).toEqual(['a done'])
    await add('b')
    await pass(clock, 2_000)
    expect(tasks).toHaveLength(2)
  })

  test('that is over lets outcomes be recorded before anything is claimed: it could be the same work, whose lease has expired', async () => {
    const due = [{ id: 'a', leaseNumber: 1 }]
    const calls: string[] = []
    let isAway = false
    const call = (name: string) => {
      if (isAway) throw away()
      calls.push(name)
    }
    const { tasks, wakeups } = start({
      async claim() {
        call('claim')
        return { items: due.splice(0), next: 'when_woken' }
      },
      async record(ended) {
        call('record')
        return new Set(ended.map(({ item }) => item.id))
      },
    })
    await settle()
    isAway = true
    tasks[0]!.end('done')
    await settle()
    isAway = false
    calls.length = 0
    wakeups.wake('runs')
    await settle()
    expect(calls.slice(0, 2)).toEqual(['record', 'claim'])
  })

  test('is followed by a grace period in which no worker is presumed dead', async () => {
    const { store, clock } = start()
    await pass(clock, renewEveryMs)
    expect(store.recoveries).toBeGreaterThan(0)
    store.failure = away()
    await pass(clock, 60_000)
    store.failure = undefined
    const before = store.recoveries
    await pass(clock, 2 * renewEveryMs - 2_000)
    expect(store.recoveries).toBe(before)
    await pass(clock, 2 * renewEveryMs)
    expect(store.recoveries).toBeGreaterThan(before)
  })

  test('is not inferred from other errors: the work of others is still recovered', async () => {
    const { add, tasks, store, clock } = start({ record: () => Promise.reject(new Error('cannot be written')) })
    await add('a')
    tasks[0]!.end('done')
    const before = store.recoveries
    await pass(clock, 3 * renewEveryMs)
    expect(store.recoveries).toBeGreaterThan(before)
  })
})

test.each([
  { next: 'when_woken', claims: 2 },
  { next: 'with_room', claims: 3 },
] as const)('an item that ends during a claim that answers $next: $claims claims', async ({ next, claims }) => {
  let claimCount = 0
  const second = Promise.withResolvers<void>()
  const { tasks, wakeups, store } = start({
    async claim() {
      claimCount += 1
      if (claimCount === 1) return { items: [{ id: 'a', leaseNumber: 1 }], next: 'with_room' }
      if (claimCount > 2) return { items: [], next: 'when_woken' }
      await second.promise
      return { items: [{ id: 'b', leaseNumber: 2 }], next }
    },
  })
  await settle()
  wakeups.wake('runs')
  await settle()
  tasks[0]!.end('done')
  await settle()
  expect(store.recorded).toEqual(['a done'])
  second.resolve()
  await settle()
  expect(tasks).toHaveLength(2)
  expect(claimCount).toBe(claims)
})

test('leaves work for a moment to the process that created it', async () => {
  let claimCount = 0
  const { clock, wakeups } = start({
    lookEveryMs: 60_000,
    async claim() {
      claimCount += 1
      return { items: [], next: 'when_woken' }
    },
  })
  await settle()
  wakeups.wake('runs', true)
  await settle()
  expect(claimCount).toBe(1)
  await pass(clock, 500)
  expect(claimCount).toBe(2)
  wakeups.wake('runs')
  await settle()
  expect(claimCount).toBe(3)
})

test('claims again after the time that a claim asks for', async () => {
  let claimCount = 0
  const { clock } = start({
    async claim() {
      claimCount += 1
      return { items: [], next: 'when_woken', againInMs: claimCount === 1 ? 300 : undefined }
    },
  })
  await settle()
  await pass(clock, 1_500)
  expect(claimCount).toBe(2)
})

test('claims again after the shortest of the times that claims ask for', async () => {
  let claimCount = 0
  const { clock, wakeups } = start({
    async claim() {
      claimCount += 1
      return { items: [], next: 'when_woken', againInMs: [1_500, 400][claimCount - 1] }
    },
  })
  await settle()
  wakeups.wake('runs')
  await settle()
  expect(claimCount).toBe(2)
  await pass(clock, 500)
  expect(claimCount).toBe(3)
})

test('another task of a kind runs at its start and when it is woken', async () => {
  let actCount = 0
  const act = async () => void (actCount += 1)
  const { wakeups } = start({ duties: [{ what: 'look for something else', everyMs: 60_000, channel: 'sessions', act }] })
  await settle()
  expect(actCount).toBe(1)
  wakeups.wake('sessions')
  await expect.poll(() => actCount).toBe(2)
})

test('a failed follow-up is only logged', async () => {
  const { add, tasks, store } = start({ onRecorded: () => Promise.reject(new Error('the result store is away')) })
  await add('a', 'b')
  for (const task of tasks) task.end('done')
  await settle()
  expect(store.recorded).toEqual(['a done', 'b done'])
  await add('c')
  expect(tasks).toHaveLength(3)
})

describe('a stop', () => {
  test('lets items end within the grace period, then interrupts them', async () => {
    const { add, tasks, store, clock, worker } = start()
    await add('a', 'b')
    const stopping = worker.stop({ graceMs: 5_000 })
    await settle()
    tasks[0]!.end('done')
    await passUntil(clock, stopping)
    expect(store.recorded).toEqual(['a done', 'b interrupted: shutdown'])
  })

  test('interrupts at once if the kind asks for it', async () => {
    const { add, store, clock, worker } = start({ isInterruptedAtOnce: true })
    await add('a')
    const stopping = worker.stop({ graceMs: 5_000 })
    await settle()
    expect(store.recorded).toEqual(['a interrupted: shutdown'])
    await passUntil(clock, stopping)
    expect(clock.sleepers()).toBe(0)
  })

  test('resolves while the store is unavailable and an item hangs', async () => {
    const { add, store, clock, worker, ignoreInterruptions } = start()
    ignoreInterruptions()
    await add('a')
    store.failure = away()
    await passUntil(clock, worker.stop({ graceMs: 1_000 }))
    expect(clock.monotonicMs()).toBeLessThan(30_000)
    expect(clock.sleepers()).toBe(0)
  })
})
