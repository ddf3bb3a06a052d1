import type { Clock } from '../ports/clock.ts'
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

/** A look that comes late begins anew: this process may be the one that was stopped or cut off. */
export function judgeAbsences(
  before: Absences,
  look: { beganMs: number; endedMs: number; seen: readonly { id: string; isAbsent: boolean }[] },
): Absences {
  const isContinuous = look.endedMs - before.lookedMs <= lookValidMs
  const sinceMs = new Map<string, number>()
  for (const { id, isAbsent } of look.seen) {
    if (isAbsent) sinceMs.set(id, (isContinuous ? before.sinceMs.get(id) : undefined) ?? look.endedMs)
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
  const isValid = () => clock.monotonicMs() - absences.lookedMs <= lookValidMs

  return {
    workerId: () => (isEntered && isValid() ? workerIds.present : workerIds.other),
    goneWorkers: () => (isValid() ? absentFor(absences, absentForMs) : []),
    async look() {
      const beganMs = clock.monotonicMs()
      const seen = await registry.look()
      const goneBefore = new Set(absentFor(absences, absentForMs))
      const others = seen.filter(({ id }) => id !== workerIds.present)
      absences = judgeAbsences(absences, { beganMs, endedMs: clock.monotonicMs(), seen: others })
      isEntered = seen.some(({ id, isAbsent }) => id === workerIds.present && !isAbsent)
      if (absentFor(absences, absentForMs).some((id) => !goneBefore.has(id))) options.onGone()
      const forgotten = absentFor(absences, forgetAfterMs)
      if (forgotten.length > 0) await registry.remove(forgotten)
      if (!isEntered) isEntered = await registry.enter(workerIds.present)
    },
  }
}
