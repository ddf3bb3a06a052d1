import type { Chance } from '../chance.ts'

/**
 * Virtual time. Everything that happens is an entry with a time. A step takes the earliest entry, sets the time, runs it, and lets the
 * engine run until it waits for a port again. Entries with the same time run in random order.
 *
 * *Heartbeats* are entries that do nothing if there is no work. Time can leap over them: skipped ones count as done, and the next one
 * comes at its regular time. *Keeping* entries (renewing and watching leases) are heartbeats while no lease is held, and events otherwise.
 */
export interface Scheduler {
  /** Milliseconds since the world began. */
  nowMs(): number
  at(atMs: number, act: () => void | Promise<void>, kind?: EntryKind, periodMs?: number): Scheduled
  /** False when no entry is left. */
  step(): Promise<boolean>
  /** The time of the next entry that is not a heartbeat; `withKeeping`: nor a keeping entry. */
  nextEventMs(options?: { withKeeping: boolean }): number
  leapTo(atMs: number): void
}

export type EntryKind = 'event' | 'heartbeat' | 'keeping'

export interface Scheduled {
  cancel(): void
}

interface Entry {
  atMs: number
  order: number
  /** The interval of a heartbeat. */
  periodMs: number
  act: () => void | Promise<void>
  isCanceled: boolean
}

export function makeScheduler(chance: Chance): Scheduler {
  let nowMs = 0
  const queues = { event: makeQueue(), heartbeat: makeQueue(), keeping: makeQueue() }
  const all = Object.values(queues)

  return {
    nowMs: () => nowMs,
    at(atMs, act, kind = 'event', periodMs = 0) {
      const entry: Entry = { atMs: Math.max(atMs, nowMs), order: chance.next(), periodMs, act, isCanceled: false }
      queues[kind].push(entry)
      return {
        cancel() {
          entry.isCanceled = true
        },
      }
    },
    async step() {
      let first: (typeof all)[number] | undefined
      for (const queue of all) {
        const entry = queue.first()
        if (entry && (!first || isBefore(entry, first.first()!))) first = queue
      }
      const entry = first?.take()
      if (!entry) return false
      nowMs = Math.max(nowMs, entry.atMs)
      const acting = entry.act()
      if (acting) await acting
      // The engine waits only for ports, so it is waiting once the microtasks are done.
      await new Promise((resolve) => setImmediate(resolve))
      return true
    },
    nextEventMs({ withKeeping } = { withKeeping: false }) {
      const eventMs = queues.event.first()?.atMs ?? Infinity
      return withKeeping ? Math.min(eventMs, queues.keeping.first()?.atMs ?? Infinity) : eventMs
    },
    leapTo(atMs) {
      nowMs = Math.max(nowMs, atMs)
      queues.heartbeat.passOver(nowMs)
      queues.keeping.passOver(nowMs)
    },
  }
}

const isBefore = (a: Entry, b: Entry) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

/** A binary heap, earliest first. */
function makeQueue() {
  const heap: Entry[] = []

  function take(): Entry | undefined {
    const top = heap[0]
    const last = heap.pop()
    if (!top || !last || heap.length === 0) return top
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      let least = last
      let leastIndex = -1
      if (left < heap.length && isBefore(heap[left]!, least)) [least, leastIndex] = [heap[left]!, left]
      if (right < heap.length && isBefore(heap[right]!, least)) [least, leastIndex] = [heap[right]!, right]
      if (leastIndex < 0) break
      heap[index] = least
      index = leastIndex
    }
    heap[index] = last
    return top
  }

  function push(entry: Entry) {
    let index = heap.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBefore(entry, heap[parent]!)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = entry
  }

  return {
    push,
    /** Moves entries before this time to their next regular time. */
    passOver(untilMs: number) {
      for (let entry = heap[0]; entry && entry.atMs < untilMs && entry.periodMs > 0; entry = heap[0]) {
        take()
        if (entry.isCanceled) continue
        entry.atMs += Math.ceil((untilMs - entry.atMs) / entry.periodMs) * entry.periodMs
        push(entry)
      }
    },
    first(): Entry | undefined {
      while (heap[0]?.isCanceled) take()
      return heap[0]
    },
    take,
  }
}
