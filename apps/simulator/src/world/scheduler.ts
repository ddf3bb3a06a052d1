import type { Chance } from '../chance.ts'

/**
 * Virtual time. Whatever happens is an entry with its moment; a step takes the earliest, sets the time to it, does
 * it, and lets the engine run until it waits for a port again. What falls on the same moment comes in an order of
 * chance.
 *
 * *Heartbeats* are entries that do nothing when there is nothing to do. Time can leap over them: those that are passed are
 * counted as done, and the next of each comes when it would have come anyway. *Keeping* entries (renewing
 * leases, watching them) are heartbeats too while nobody has anything in hand, and events while somebody has.
 */
export interface Scheduler {
  /** Milliseconds since the world began. */
  nowMs(): number
  at(atMs: number, act: () => void | Promise<void>, kind?: EntryKind, periodMs?: number): Scheduled
  /** False when there is nothing left to do. */
  step(): Promise<boolean>
  /** When the next thing happens that is no heartbeat; `withKeeping`: neither renewing nor watching a lease. */
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
  /** Of a heartbeat: how long until the next. */
  periodMs: number
  act: () => void | Promise<void>
  isCancelled: boolean
}

export function makeScheduler(chance: Chance): Scheduler {
  let nowMs = 0
  const queues = { event: makeQueue(), heartbeat: makeQueue(), keeping: makeQueue() }
  const all = Object.values(queues)

  return {
    nowMs: () => nowMs,
    at(atMs, act, kind = 'event', periodMs = 0) {
      const entry: Entry = { atMs: Math.max(atMs, nowMs), order: chance.next(), periodMs, act, isCancelled: false }
      queues[kind].push(entry)
      return {
        cancel() {
          entry.isCancelled = true
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
      // The engine waits for nothing but ports, so when the microtasks are done, it waits.
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
    /** Moves what lies before this moment to the next time at which it comes anyway. */
    passOver(untilMs: number) {
      for (let entry = heap[0]; entry && entry.atMs < untilMs && entry.periodMs > 0; entry = heap[0]) {
        take()
        if (entry.isCancelled) continue
        entry.atMs += Math.ceil((untilMs - entry.atMs) / entry.periodMs) * entry.periodMs
        push(entry)
      }
    },
    first(): Entry | undefined {
      while (heap[0]?.isCancelled) take()
      return heap[0]
    },
    take,
  }
}
