import { describe, expect, test } from 'vitest'
import { StoreUnavailable } from '../store/store-unavailable.ts'
import { localWakeups } from '../store/wakeups.ts'
import { giveWay } from '../../testing/give-way.ts'
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

/** A worker between a store that the test plays and tasks that the test ends. Interrupted, a task says why. */
function start(options: Partial<WorkKind<Item, string>> = {}) {
  const clock = manualClock()
  const wakeups = localWakeups()
  const store = {
    due: [] as string[],
    /** What it answers instead, while it is set. */
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
  let isHeedless = false
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
          if (!isHeedless) resolve(`interrupted: ${control.interruption()?.kind}`)
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
    heedNothing: () => (isHeedless = true),
  }
}

async function settle() {
  for (let turn = 0; turn < 10; turn += 1) await giveWay()
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
  test('takes no more than it may have in hand, and the next when one has been recorded', async () => {
    const { add, tasks, store } = start()
    await add('a', 'b', 'c')
    expect(tasks.map(({ item }) => item.id)).toEqual(['a', 'b'])
    tasks[0]!.end('done')
    await settle()
    expect(store.recorded).toEqual(['a done'])
    expect(tasks.map(({ item }) => item.id)).toEqual(['a', 'b', 'c'])
  })

  test('counts what waits to be recorded as in hand', async () => {
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
  test('that throws is left to its lease, and the others go on', async () => {
    const { add, tasks, store } = start()
    await add('a', 'b', 'c')
    tasks[0]!.fail(new Error('a bug'))
    await settle()
    expect(tasks.map(({ item }) => item.id)).toEqual(['a', 'b', 'c'])
    tasks[1]!.end('done')
    await settle()
    expect(store.recorded).toEqual(['b done'])
  })

  test('is interrupted at its time limit, and by a person', async () => {
    const { add, tasks, store, clock, wakeups } = start({ timeLimitSeconds: 60 })
    await add('a', 'b')
    store.stops.push({ id: 'b', userId: 'user_1', by: 'Ada' })
    wakeups.wake('run_stops')
    await settle()
    expect(tasks[1]!.control.interruption()).toEqual({ kind: 'stopped', userId: 'user_1', by: 'Ada' })
    await pass(clock, 60_000)
    expect(store.recorded).toEqual(['b interrupted: stopped', 'a interrupted: time_limit'])
  })

  test('that does not heed its interruption is left to itself, and what it says later counts for nothing', async () => {
    const { add, tasks, store, clock, heedNothing } = start({ timeLimitSeconds: 60 })
    heedNothing()
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
  test('is renewed while the item is at work, and while its end cannot be recorded', async () => {
    const { add, tasks, store, clock } = start({
      record: () => Promise.reject(new Error('this one cannot be written')),
    })
    await add('a')
    await pass(clock, renewEveryMs)
    tasks[0]!.end('done')
    await pass(clock, 3 * renewEveryMs)
    expect(store.renewals.slice(-3)).toEqual([['a'], ['a'], ['a']])
  })

  test('that is gone interrupts the item, and what came of it is refused', async () => {
    const { add, store, clock, followUps } = start()
    await add('a')
    store.isLeaseGone = () => true
    await pass(clock, renewEveryMs)
    expect(store.recorded).toEqual([])
    expect(followUps).toEqual(['a false'])
  })

  test('that cannot be renewed in time interrupts the item without asking the store', async () => {
    const { add, tasks, store, clock } = start()
    await add('a')
    store.failure = away()
    await pass(clock, leaseMs - 6_000)
    expect(tasks[0]!.control.interruption()).toBeUndefined()
    await pass(clock, 11_000)
    expect(tasks[0]!.control.interruption()).toEqual({ kind: 'lease_lost' })
  })
})

describe('an outage of the store', () => {
  test.each([1_000, 30_000, 120_000])('of %i ms loses nothing that had ended', async (ms) => {
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

  test('is followed by a while in which nobody is taken for dead', async () => {
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

  test('does not make an error of another kind look like one: others are still recovered', async () => {
    const { add, tasks, store, clock } = start({ record: () => Promise.reject(new Error('cannot be written')) })
    await add('a')
    tasks[0]!.end('done')
    const before = store.recoveries
    await pass(clock, 3 * renewEveryMs)
    expect(store.recoveries).toBeGreaterThan(before)
  })
})

test('a follow-up that fails is logged, and nothing else', async () => {
  const { add, tasks, store } = start({ onRecorded: () => Promise.reject(new Error('the result store is away')) })
  await add('a', 'b')
  for (const task of tasks) task.end('done')
  await settle()
  expect(store.recorded).toEqual(['a done', 'b done'])
  await add('c')
  expect(tasks).toHaveLength(3)
})

describe('a stop', () => {
  test('lets items end within its grace, then interrupts them', async () => {
    const { add, tasks, store, clock, worker } = start()
    await add('a', 'b')
    const stopping = worker.stop({ graceMs: 5_000 })
    await settle()
    tasks[0]!.end('done')
    await passUntil(clock, stopping)
    expect(store.recorded).toEqual(['a done', 'b interrupted: shutdown'])
  })

  test('interrupts at once where that is what the kind wants', async () => {
    const { add, store, clock, worker } = start({ isInterruptedAtOnce: true })
    await add('a')
    const stopping = worker.stop({ graceMs: 5_000 })
    await settle()
    expect(store.recorded).toEqual(['a interrupted: shutdown'])
    await passUntil(clock, stopping)
    expect(clock.sleepers()).toBe(0)
  })

  test('ends while the store is away and an item hangs', async () => {
    const { add, store, clock, worker, heedNothing } = start()
    heedNothing()
    await add('a')
    store.failure = away()
    await passUntil(clock, worker.stop({ graceMs: 1_000 }))
    expect(clock.monotonicMs()).toBeLessThan(30_000)
    expect(clock.sleepers()).toBe(0)
  })
})
