import { archiveAttemptsMax, archiveLeaseMs, archiveTimeLimitSeconds, archiveWaitsMs } from '../domain/history/archive-policy.ts'
import type { ArchiveDecision, ClaimedArchiveJob } from '../model/history.ts'
import type { ArchiveJobStore } from '../store/history/archive-jobs.ts'
import type { Worker } from '../work/worker.ts'
import { type JobWorkerDeps, makeJobWorker } from './job-worker.ts'

export interface ArchiveWorkerDeps extends JobWorkerDeps {
  archiveJobs: ArchiveJobStore
  /** Stores the result of a run in the archive. */
  archiveResult(job: ClaimedArchiveJob, signal: AbortSignal): Promise<ArchiveDecision>
}

/** Each needs memory for two documents. */
const jobsAtOnce = 2

/**
 * Keeping results as a kind of work. A run that completes requests it; the run itself neither waits for it nor fails with it. The cached
 * result of a run is not removed while its job is due.
 */
export function makeArchiveWorker(deps: ArchiveWorkerDeps): Worker {
  const { log } = deps
  return makeJobWorker<ClaimedArchiveJob, ArchiveDecision>(deps, {
    name: 'result archiving',
    channel: 'archive_jobs',
    store: deps.archiveJobs,
    leaseMs: archiveLeaseMs,
    timeLimitSeconds: archiveTimeLimitSeconds,
    atOnce: jobsAtOnce,
    async attempt(job, signal) {
      if (job.attemptNumber > archiveAttemptsMax) return { state: 'failed', reason: 'Every attempt to store it was interrupted.' }
      return deps.archiveResult(job, signal)
    },
    onError: ({ id: runId, attemptNumber }, error) => log.warn({ err: error, runId, attemptNumber }, 'result archiving failed'),
    afterFailure,
    taking: 'Storing it',
    onRecorded({ id: runId, attemptNumber }, decision, isRecorded) {
      const line = { runId, attemptNumber, next: decision.state }
      if (!isRecorded) log.warn(line, 'result archiving lease lost')
      else if (decision.state === 'failed') log.error({ ...line, reason: decision.reason }, 'result not archived after final attempt')
      else log.info(line, 'result archiving attempted')
    },
  })
}

function afterFailure({ attemptNumber }: ClaimedArchiveJob, reason: string): ArchiveDecision {
  const waitMs = archiveWaitsMs[attemptNumber - 1]
  return waitMs === undefined ? { state: 'failed', reason } : { state: 'due', waitMs, reason }
}
