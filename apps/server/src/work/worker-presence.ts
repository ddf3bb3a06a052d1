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
  /** Returns `claim` if others have been found to be gone. */
  look(): Promise<'claim' | void>
}

export const presenceLookMs = 1_000
/** A worker that lost its connection gets this long to return. */
export const absentForMs = 500
/** What a look found is used no longer than this. */
export const lookValidMs = 2_500
/** Longer than any lease that names the worker. */
const forgetAfterMs = 60_000

export interface Absences {
  /** When the last look began. */
  lookedMs: number
  /** When a look first returned without the worker. */
  sinceMs: ReadonlyMap<string, number>
  /** Those that may be absent because of an outage. */
  excused: ReadonlySet<string>
}

export const noAbsences: Absences = { lookedMs: -Infinity, sinceMs: new Map(), excused: new Set() }

export interface Look {
  beganMs: number
  endedMs: number
  /**
   * Whether it comes late, or this worker's own session has ended: the store may have been away. Workers that are absent now may be on
   * their way back, so the leases decide.
   */
  isAfterOutage: boolean
  seen: readonly { id: string; isAbsent: boolean }[]
}

export function judgeAbsences(before: Absences, look: Look): Absences {
  const absent = look.seen.filter(({ isAbsent }) => isAbsent).map(({ id }) => id)
  return {
    lookedMs: look.beganMs,
    sinceMs: new Map(absent.map((id) => [id, before.sinceMs.get(id) ?? look.endedMs])),
    excused: new Set(absent.filter((id) => look.isAfterOutage || before.excused.has(id))),
  }
}

const absentFor = ({ lookedMs, sinceMs }: Absences, ms: number): string[] =>
  [...sinceMs].filter(([, since]) => lookedMs - since >= ms).map(([id]) => id)

export const goneOf = (absences: Absences): string[] => absentFor(absences, absentForMs).filter((id) => !absences.excused.has(id))

/** Whether the next look may find that someone is gone. */
export const isUndecided = (absences: Absences): boolean => absences.sinceMs.size > absences.excused.size + goneOf(absences).length

export function makeWorkerPresence(options: {
  registry: WorkerRegistry
  clock: Clock
  /** Others look for the first. The second is used while this worker is not present, and waits for leases like any other. */
  workerIds: { present: string; other: string }
}): WorkerPresence {
  const { registry, clock, workerIds } = options
  let absences = noAbsences
  let isEntered = false
  let sinceLookMs: (() => number) | undefined
  const isValid = () => sinceLookMs !== undefined && sinceLookMs() <= lookValidMs

  async function lookOnce() {
    const beganMs = clock.monotonicMs()
    // Also measures the time during which the machine was suspended.
    const sinceThisLookMs = startStopwatch(clock)
    const seen = await registry.look()
    const others = seen.filter(({ id }) => id !== workerIds.present)
    const isStillEntered = seen.some(({ id, isAbsent }) => id === workerIds.present && !isAbsent)
    const isAfterOutage = (sinceLookMs !== undefined && !isValid()) || (isEntered && !isStillEntered)
    absences = judgeAbsences(absences, { beganMs, endedMs: clock.monotonicMs(), isAfterOutage, seen: others })
    sinceLookMs = sinceThisLookMs
    isEntered = isStillEntered
    const forgotten = absentFor(absences, forgetAfterMs)
    if (forgotten.length > 0) await registry.remove(forgotten)
    if (!isEntered) isEntered = await registry.enter(workerIds.present)
  }

  return {
    workerId: () => (isEntered && isValid() ? workerIds.present : workerIds.other),
    goneWorkers: () => (isValid() ? goneOf(absences) : []),
    async look() {
      const goneBefore = new Set(goneOf(absences))
      await lookOnce()
      if (isUndecided(absences)) {
        await clock.sleep(absentForMs)
        await lookOnce()
      }
      return goneOf(absences).some((id) => !goneBefore.has(id)) ? 'claim' : undefined
    },
  }
}
