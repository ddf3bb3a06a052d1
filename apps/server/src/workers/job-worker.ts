import { newId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import type { WakeupChannel, Wakeups } from '../store/wakeups.ts'
import type { Control, Interruption, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'

interface Job {
  id: string
  leaseNumber: number
  attemptNumber: number
}

/** A store of jobs. Its claim also finds jobs whose lease has expired. */
interface JobStore<Claimed extends Job, Decision> {
  claim(options: { leaseMs: number; count: number }): Promise<Claimed[]>
  renew(options: { leaseMs: number; items: { id: string; leaseNumber: number }[] }): Promise<ReadonlySet<string>>
  record(job: Claimed, decision: Decision, options: { endedAgoMs: number }): Promise<boolean>
}

export interface JobWorkerDeps {
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
}

interface JobKind<Claimed extends Job, Decision> {
  name: string
  channel: WakeupChannel
  store: JobStore<Claimed, Decision>
  leaseMs: number
  /** Undefined if the jobs end by other limits. */
  timeLimitSeconds?: number
  atOnce: number
  attempt(job: Claimed, signal: AbortSignal): Promise<Decision>
  onError(job: Claimed, error: unknown): void
  /** What follows an attempt that failed, or took longer than the time limit. */
  afterFailure(job: Claimed, reason: string): Decision
  /** What it took too long to do: `Storing it`. */
  taking: string
  onRecorded(job: Claimed, decision: Decision, isRecorded: boolean): void
}

const lookEveryMs = 15_000
const renewEveryMs = 15_000
/** An interrupted job has this long to return. */
const returnWithinMs = 10_000

/** Jobs that nobody waits for, and that need much memory each: few at once, and each is recorded by itself. */
export function makeJobWorker<Claimed extends Job, Decision>(
  deps: JobWorkerDeps,
  jobs: JobKind<Claimed, Decision | { state: 'given_back' }>,
): Worker {
  type Outcome = Decision | { state: 'given_back' }
  const { store, atOnce } = jobs

  function afterInterruption(job: Claimed, interruption: Interruption): Outcome | undefined {
    if (interruption.kind === 'lease_lost') return undefined
    if (interruption.kind !== 'time_limit') return { state: 'given_back' }
    return jobs.afterFailure(job, `${jobs.taking} took longer than ${interruption.seconds / 60} minutes.`)
  }

  async function carryOut(job: Claimed, control: Control): Promise<Outcome | undefined> {
    try {
      return await jobs.attempt(job, control.signal)
    } catch (error) {
      const interruption = control.interruption()
      if (interruption) return afterInterruption(job, interruption)
      jobs.onError(job, error)
      return jobs.afterFailure(job, 'An internal error occurred. The operator finds it in the log.')
    }
  }

  const kind: WorkKind<Claimed, Outcome> = {
    name: jobs.name,
    channel: jobs.channel,
    lookEveryMs,
    leaseMs: jobs.leaseMs,
    inHandMax: atOnce,
    claimMax: atOnce,
    async claim({ leaseMs, count }) {
      const items = await store.claim({ leaseMs, count })
      return { items, next: items.length < count ? 'when_woken' : 'with_room' }
    },
    carryOut,
    ...(jobs.timeLimitSeconds !== undefined && { timeLimitSeconds: jobs.timeLimitSeconds }),
    abandonment: { afterMs: returnWithinMs, outcomeOf: afterInterruption },
    recording: { batchMax: 1, atOnce },
    async record([ended]) {
      const { item: job, outcome, agoMs } = ended!
      return new Set((await store.record(job, outcome, { endedAgoMs: agoMs })) ? [job.id] : [])
    },
    onRecorded: ({ item: job, outcome }, isRecorded) => jobs.onRecorded(job, outcome, isRecorded),
    // Nothing to recover: the claim does it.
    renewal: { everyMs: renewEveryMs, renew: (options) => store.renew(options), recover: async () => {} },
    isInterruptedAtOnce: true,
  }
  return makeWorker(kind, { ...deps, workerId: newId(deps.random, 'worker') })
}
