import type { Clock } from '@querypost/server/ports'
import type { EntryKind, Scheduled, Scheduler } from './scheduler.ts'

/**
 * A machine runs one worker process. It can *die*: the process gets no more calls or responses. It can *stall*: everything arrives late,
 * all at once and in random order. It can be *suspended*, like a laptop: its monotonic clock stops too. It can be *partitioned*: it can't
 * reach the store, although others may. Its wall clock is wrong (*skew*) and may *jump*.
 */
export interface Machine {
  readonly id: string
  readonly slot: number
  readonly startedMs: number
  readonly clock: Clock
  isDead(): boolean
  diedMs(): number | undefined
  die(): void
  stall(ms: number, options: { isSuspended: boolean }): void
  /** Sets the wall clock off by this in addition to its skew; 0 corrects it. */
  setWallOffset(ms: number): void
  wallOffsetMs(): number
  wallMs(): number
  /** Calls back in the process after `ms`, or when it is able to; never if it is dead. */
  later(ms: number, act: () => void): Scheduled
  /** When each last happened, in the world's time; for the judges. */
  readonly last: { stallMs: number; suspensionEndMs: number; wallJumpMs: number; troubleMs: number; comparedMs: number; partitionMs: number }
  /** The process's wall clock: the machine's clock until it is replaced. */
  processNow(): Date
  useClock(clock: Pick<Clock, 'now'>): void
  partitionUntil(untilMs: number): void
  isPartitioned(): boolean
  /** The end of its last fault: a stall, a partition, or a failed or slow call. */
  trouble(untilMs: number): void
  stalledUntilMs(): number
  /** Listens to a signal until `forget`. Returns a function that stops listening earlier. */
  onAbort(signal: AbortSignal, act: () => void): () => void
  /** Removes all listeners at the end of the world; they would keep it in memory. */
  forget(): void
  /** Called at each point where the process may die. */
  onSleep?: () => void
}

/** The intervals of polls and renewals. Sleeps are recognized by these lengths, which are otherwise rare. */
const pausesMs: ReadonlyMap<number, EntryKind> = new Map([
  [1_000, 'heartbeat'],
  [2_000, 'heartbeat'],
  [15_000, 'heartbeat'],
  [30_000, 'heartbeat'],
  [5_000, 'keeping'],
  [10_000, 'keeping'],
])

/** The start of the world, by a correct clock. */
export const worldBeganAt = Date.parse('2026-05-04T06:00:00.000Z')

export function makeMachine(options: {
  id: string
  slot: number
  scheduler: Scheduler
  skewMs: number
  onDeath(): void
}): Machine {
  const { scheduler } = options
  let isDead = false
  let diedMs: number | undefined
  let stalledUntilMs = 0
  let suspension = { fromMs: 0, untilMs: 0, beforeMs: 0 }
  let wallOffsetMs = 0
  const startedMs = scheduler.nowMs()
  const never = -Infinity
  const last = { stallMs: never, suspensionEndMs: never, wallJumpMs: never, troubleMs: never, comparedMs: never, partitionMs: never }
  let partitionedUntilMs = 0
  let processClock: Pick<Clock, 'now'> | undefined

  const suspendedMs = () =>
    suspension.beforeMs + Math.max(0, Math.min(scheduler.nowMs(), suspension.untilMs) - suspension.fromMs)
  // Each reading is slightly later than the previous one, as on a real machine, so differences are never round numbers.
  let looks = 0
  const monotonicMs = () => scheduler.nowMs() - startedMs - suspendedMs() + ++looks * 1e-7
  const wallMs = () => worldBeganAt + scheduler.nowMs() + options.skewMs + wallOffsetMs

  function later(ms: number, act: () => void, kind: EntryKind = 'event', periodMs = 0): Scheduled {
    let isCanceled = false
    let entry = scheduler.at(scheduler.nowMs() + ms, arrive, kind, periodMs)
    function arrive() {
      if (isDead || isCanceled) return
      if (stalledUntilMs > scheduler.nowMs()) entry = scheduler.at(stalledUntilMs, arrive)
      else act()
    }
    return {
      cancel() {
        isCanceled = true
        entry.cancel()
      },
    }
  }

  const listening = new Set<() => void>()
  function onAbort(signal: AbortSignal, act: () => void): () => void {
    const stop = () => {
      signal.removeEventListener('abort', act)
      listening.delete(stop)
    }
    signal.addEventListener('abort', act)
    listening.add(stop)
    return stop
  }

  const machine: Machine = {
    onAbort,
    forget() {
      for (const stop of listening) stop()
    },
    id: options.id,
    slot: options.slot,
    startedMs,
    last,
    isDead: () => isDead,
    diedMs: () => diedMs,
    die() {
      if (isDead) return
      isDead = true
      diedMs = scheduler.nowMs()
      options.onDeath()
    },
    stall(ms, { isSuspended }) {
      last.stallMs = scheduler.nowMs()
      stalledUntilMs = Math.max(stalledUntilMs, scheduler.nowMs() + ms)
      machine.trouble(stalledUntilMs)
      if (!isSuspended) return
      last.suspensionEndMs = stalledUntilMs
      suspension = { beforeMs: suspendedMs(), fromMs: scheduler.nowMs(), untilMs: stalledUntilMs }
    },
    setWallOffset(ms) {
      if (ms !== wallOffsetMs) last.wallJumpMs = scheduler.nowMs()
      wallOffsetMs = ms
    },
    wallOffsetMs: () => wallOffsetMs,
    wallMs,
    processNow: () => processClock?.now() ?? new Date(wallMs()),
    useClock(clock) {
      processClock = clock
    },
    partitionUntil(untilMs) {
      if (!machine.isPartitioned()) last.partitionMs = scheduler.nowMs()
      partitionedUntilMs = Math.max(partitionedUntilMs, untilMs)
      machine.trouble(partitionedUntilMs)
    },
    isPartitioned: () => scheduler.nowMs() < partitionedUntilMs,
    trouble(untilMs) {
      last.troubleMs = Math.max(last.troubleMs, untilMs)
    },
    later,
    stalledUntilMs: () => stalledUntilMs,
    clock: {
      now: () => new Date(wallMs()),
      monotonicMs,
      machineMs: wallMs,
      sleep(ms, signal) {
        machine.onSleep?.()
        if (isDead) return new Promise(() => {})
        if (signal?.aborted || ms <= 0) return Promise.resolve()
        return new Promise((resolve) => {
          const dueMs = monotonicMs() + ms
          const kind = pausesMs.get(ms) ?? 'event'
          const periodMs = kind === 'event' ? 0 : ms
          let timer = later(Math.ceil(ms), ring, kind, periodMs)
          function ring() {
            // A suspension delays timers by its length.
            const leftMs = Math.ceil(dueMs - monotonicMs())
            if (leftMs > 0) timer = later(leftMs, ring, kind, periodMs)
            else wake()
          }
          function wake() {
            timer.cancel()
            stopListening?.()
            resolve()
          }
          const stopListening = signal && onAbort(signal, wake)
        })
      },
    },
  }
  return machine
}
