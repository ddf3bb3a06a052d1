import { archiveAttemptsMax, archiveLeaseMs, archiveTimeLimitSeconds, archiveWaitsMs } from '../domain/history/archive-policy.ts'
import { newId } from '../domain/ids.ts'
import type { ArchiveDecision, ClaimedArchiveJob } from '../model/history.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import type { ArchiveJobStore } from '../store/history/archive-jobs.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { Control, Interruption, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'

export interface ArchiveWorkerDeps {
  archiveJobs: ArchiveJobStore
  /** Stores the result of a run in the archive. */
  archiveResult(job: ClaimedArchiveJob, signal: AbortSignal): Promise<ArchiveDecision>
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
}

const lookEveryMs = 15_000
const renewEveryMs = 15_000
/** Each needs memory for two documents, and nobody waits for it. */
const jobsAtOnce = 2
/** An interrupted job has this long to return. */
const returnWithinMs = 10_000

/**
 * Keeping results as a kind of work. A run that completes requests it; the run itself neither waits for it nor fails with it. The cached
 * result of a run is not removed while its job is due.
 */
export function makeArchiveWorker(deps: ArchiveWorkerDeps): Worker {
  const { archiveJobs, log } = deps

  async function carryOut(job: ClaimedArchiveJob, control: Control): Promise<ArchiveDecision | undefined> {
    const { attemptNumber } = job
    if (attemptNumber > archiveAttemptsMax) return { state: 'failed', reason: 'Every attempt to store it was interrupted.' }
    try {
      return await deps.archiveResult(job, control.signal)
    } catch (error) {
      const interruption = control.interruption()
      if (interruption) return afterInterruption(job, interruption)
      log.warn({ err: error, runId: job.id, attemptNumber }, 'result archiving failed')
      return afterFailure(job, 'An internal error occurred. The operator finds it in the log by the run’s id.')
    }
  }

  const kind: WorkKind<ClaimedArchiveJob, ArchiveDecision> = {
    name: 'result archiving',
    channel: 'archive_jobs',
    lookEveryMs,
    leaseMs: archiveLeaseMs,
    inHandMax: jobsAtOnce,
    claimMax: jobsAtOnce,
    async claim({ leaseMs, count }) {
      const items = await archiveJobs.claim({ leaseMs, count })
      return { items, next: items.length < count ? 'when_woken' : 'with_room' }
    },
    carryOut,
    timeLimitSeconds: archiveTimeLimitSeconds,
    abandonment: { afterMs: returnWithinMs, outcomeOf: afterInterruption },
    recording: { batchMax: 1, atOnce: jobsAtOnce },
    async record([ended]) {
      const { item: job, outcome, agoMs } = ended!
      return new Set((await archiveJobs.record(job, outcome, { endedAgoMs: agoMs })) ? [job.id] : [])
    },
    onRecorded({ item: job, outcome }, isRecorded) {
      const line = { runId: job.id, attemptNumber: job.attemptNumber, next: outcome.state }
      if (!isRecorded) log.warn(line, 'result archiving lease lost')
      else if (outcome.state === 'failed') log.error({ ...line, reason: outcome.reason }, 'result not archived after final attempt')
      else log.info(line, 'result archiving attempted')
    },
    renewal: {
      everyMs: renewEveryMs,
      renew: ({ leaseMs, items }) => archiveJobs.renew({ leaseMs, items }),
      // The claim finds jobs whose lease has expired.
      recover: async () => {},
    },
    isInterruptedAtOnce: true,
  }
  return makeWorker(kind, { ...deps, workerId: newId(deps.random, 'worker') })
}

function afterInterruption(job: ClaimedArchiveJob, interruption: Interruption): ArchiveDecision | undefined {
  if (interruption.kind === 'lease_lost') return undefined
  if (interruption.kind !== 'time_limit') return { state: 'given_back' }
  return afterFailure(job, `Storing it took longer than ${interruption.seconds / 60} minutes.`)
}

function afterFailure({ attemptNumber }: ClaimedArchiveJob, reason: string): ArchiveDecision {
  const waitMs = archiveWaitsMs[attemptNumber - 1]
  return waitMs === undefined ? { state: 'failed', reason } : { state: 'due', waitMs, reason }
}
