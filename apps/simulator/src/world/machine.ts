import type { Clock } from '@querypost/server/ports'
import type { EntryKind, Scheduled, Scheduler } from './scheduler.ts'

/**
 * A machine runs one worker process. It can die: then nothing reaches the process any more, and what it waits for
 * never comes. It can *stall*: what is meant for the process comes late, all at once and in an order of chance. It
 * can be *suspended*, as a laptop: then its monotonic clock stands still too. It can be *partitioned*: then it does not reach
 * the store, although others may. Its wall clock is wrong (*skew*) and may *jump*.
 */
export interface Machine {
  readonly id: string
  readonly slot: number
  readonly startedMs: number
  readonly clock: Clock
  isDead(): boolean
  die(): void
  stall(ms: number, options: { isSuspended: boolean }): void
  /** Sets the wall clock off by this, beside its skew; 0 sets it right. */
  setWallOffset(ms: number): void
  wallOffsetMs(): number
  wallMs(): number
  /** Has the process do something after `ms`, once it can; never when it is dead. */
  later(ms: number, act: () => void): Scheduled
  /** When each last happened, in the world's time; for the judges. */
  readonly last: { stallMs: number; suspensionEndMs: number; wallJumpMs: number; troubleMs: number; comparedMs: number }
  /** What the process takes for the time of day; its machine's clock until somebody gives it a better one. */
  processNow(): Date
  useClock(clock: Pick<Clock, 'now'>): void
  partitionUntil(untilMs: number): void
  isPartitioned(): boolean
  /** Something of its own was wrong with it until then: a stall, a partition, a call that failed or was slow. */
  trouble(untilMs: number): void
  stalledUntilMs(): number
  /** Listens to a signal until `forget`; returns what ends it before. */
  onAbort(signal: AbortSignal, act: () => void): () => void
  /** At the end of the world: what still waits on a signal would keep all of it in memory. */
  forget(): void
  /** Called when the process does something that it may die of. */
  onSleep?: () => void
}

/** How long the workers pause between two looks, and between two renewals. Known by their length: little else sleeps for as long. */
const pausesMs: ReadonlyMap<number, EntryKind> = new Map([
  [1_000, 'heartbeat'],
  [2_000, 'heartbeat'],
  [15_000, 'heartbeat'],
  [30_000, 'heartbeat'],
  [5_000, 'keeping'],
  [10_000, 'keeping'],
])

/** When the world begins, by a clock that is right. */
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
  let stalledUntilMs = 0
  let suspension = { fromMs: 0, untilMs: 0, beforeMs: 0 }
  let wallOffsetMs = 0
  const startedMs = scheduler.nowMs()
  const never = -Infinity
  const last = { stallMs: never, suspensionEndMs: never, wallJumpMs: never, troubleMs: never, comparedMs: never }
  let partitionedUntilMs = 0
  let processClock: Pick<Clock, 'now'> | undefined

  const suspendedMs = () =>
    suspension.beforeMs + Math.max(0, Math.min(scheduler.nowMs(), suspension.untilMs) - suspension.fromMs)
  // Every look at it is a little later than the one before, as on a real machine; so no difference of two is a round number.
  let looks = 0
  const monotonicMs = () => scheduler.nowMs() - startedMs - suspendedMs() + ++looks * 1e-7
  const wallMs = () => worldBeganAt + scheduler.nowMs() + options.skewMs + wallOffsetMs

  function later(ms: number, act: () => void, kind: EntryKind = 'event', periodMs = 0): Scheduled {
    let isCancelled = false
    let entry = scheduler.at(scheduler.nowMs() + ms, arrive, kind, periodMs)
    function arrive() {
      if (isDead || isCancelled) return
      if (stalledUntilMs > scheduler.nowMs()) entry = scheduler.at(stalledUntilMs, arrive)
      else act()
    }
    return {
      cancel() {
        isCancelled = true
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
    die() {
      if (isDead) return
      isDead = true
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
            // After a suspension timers are late by as much.
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
