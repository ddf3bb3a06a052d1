import { type Clock, startStopwatch } from '../ports/clock.ts'
import type { WorkerRegistry } from '../store/workers/worker-registry.ts'

/**
 * Tells workers that are gone from those that are busy, so that nobody waits for the leases of a process that was killed.
 *
 * Being wrong about it is safe: every write is fenced by its lease, so a worker that others presumed gone changes nothing. It costs a
 * delivery sent twice.
 */
export interface WorkerPresence {
  /** Under which id to claim. Only while this worker is known to be present is it the id that others look for. */
  workerId(): string
  goneWorkers(): readonly string[]
  look(): Promise<void>
}

export const presenceLookMs = 1_000
/** A worker that lost its connection, for example because the server restarted, gets this long to return. */
export const absentForMs = 1_000
/** What a look found is used no longer than this. */
export const lookValidMs = 2_500
/** Longer than any lease that names the worker. */
const forgetAfterMs = 60_000

export interface Absences {
  /** When the last look began. */
  lookedMs: number
  /** When a look first returned without the worker. */
  sinceMs: ReadonlyMap<string, number>
}

export const noAbsences: Absences = { lookedMs: -Infinity, sinceMs: new Map() }

export interface Look {
  beganMs: number
  endedMs: number
  /** Whether it came too late after the one before: this process may be the one that was stopped or cut off. */
  isLate: boolean
  seen: readonly { id: string; isAbsent: boolean }[]
}

export function judgeAbsences(before: Absences, look: Look): Absences {
  const sinceMs = new Map<string, number>()
  for (const { id, isAbsent } of look.seen) {
    if (isAbsent) sinceMs.set(id, (look.isLate ? undefined : before.sinceMs.get(id)) ?? look.endedMs)
  }
  return { lookedMs: look.beganMs, sinceMs }
}

export const absentFor = ({ lookedMs, sinceMs }: Absences, ms: number): string[] =>
  [...sinceMs].filter(([, since]) => lookedMs - since >= ms).map(([id]) => id)

export function makeWorkerPresence(options: {
  registry: WorkerRegistry
  clock: Clock
  /** Others look for the first. The second is used while this worker is not present, and waits for leases like any other. */
  workerIds: { present: string; other: string }
  onGone(): void
}): WorkerPresence {
  const { registry, clock, workerIds } = options
  let absences = noAbsences
  let isEntered = false
  let sinceLookMs = () => Infinity
  const isValid = () => sinceLookMs() <= lookValidMs

  return {
    workerId: () => (isEntered && isValid() ? workerIds.present : workerIds.other),
    goneWorkers: () => (isValid() ? absentFor(absences, absentForMs) : []),
    async look() {
      const beganMs = clock.monotonicMs()
      // Also measures the time during which the machine was suspended.
      const sinceThisLookMs = startStopwatch(clock)
      const seen = await registry.look()
      const goneBefore = new Set(absentFor(absences, absentForMs))
      const others = seen.filter(({ id }) => id !== workerIds.present)
      absences = judgeAbsences(absences, { beganMs, endedMs: clock.monotonicMs(), isLate: !isValid(), seen: others })
      sinceLookMs = sinceThisLookMs
      isEntered = seen.some(({ id, isAbsent }) => id === workerIds.present && !isAbsent)
      if (absentFor(absences, absentForMs).some((id) => !goneBefore.has(id))) options.onGone()
      const forgotten = absentFor(absences, forgetAfterMs)
      if (forgotten.length > 0) await registry.remove(forgotten)
      if (!isEntered) isEntered = await registry.enter(workerIds.present)
    },
  }
}
