import { newId } from '../domain/ids.ts'
import { Refusal } from '../domain/refusal.ts'
import { decideFailedJob } from '../domain/reports/decide-report.ts'
import { reportJobAttemptsMax, reportJobLeaseMs, reportJobTimeLimitSeconds } from '../domain/reports/report-policy.ts'
import type { ClaimedReportJob, ReportJobDecision } from '../model/report-work.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { Control, Interruption, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'
import { countHeld } from './count-held.ts'
import type { ReportJobStore } from './report-stores.ts'

export interface ReportWorkerDeps {
  reportJobs: ReportJobStore
  /** Throws a refusal if the job can never be prepared. */
  prepare(job: ClaimedReportJob, signal: AbortSignal): Promise<ReportJobDecision>
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
}

const lookEveryMs = 5_000
const renewEveryMs = 10_000
/** A job mostly waits for its queries, which have limits of their own. */
const jobsAtOnce = 5
/** A job may take an hour, so one organization never has all the room. */
const jobsPerOrganization = 4
/** An interrupted job has this long to return. */
const returnWithinMs = 5_000

/** The preparation of reports as a kind of work. Nothing is sent here: a prepared job has become deliveries. */
export function makeReportWorker(deps: ReportWorkerDeps): Worker {
  const { reportJobs, log } = deps

  async function carryOut(job: ClaimedReportJob, control: Control): Promise<ReportJobDecision | undefined> {
    const { attemptNumber } = job
    if (attemptNumber > reportJobAttemptsMax) return { state: 'failed', reason: 'Every attempt to prepare it was interrupted.' }
    try {
      return await deps.prepare(job, control.signal)
    } catch (error) {
      const interruption = control.interruption()
      if (interruption) return afterInterruption(job, interruption)
      const isFinal = error instanceof Refusal
      log.warn({ err: error, reportJobId: job.id, attemptNumber, isFinal }, 'report preparation failed')
      return decideFailedJob({ reason: isFinal ? error.message : internalReason(job), isFinal, attemptNumber })
    }
  }

  const kind: WorkKind<ClaimedReportJob, ReportJobDecision> = {
    name: 'report preparation',
    channel: 'report_jobs',
    lookEveryMs,
    leaseMs: reportJobLeaseMs,
    inHandMax: jobsAtOnce,
    claimMax: jobsAtOnce,
    async claim({ leaseMs, count, atWork }) {
      const heldByOrganization = countHeld(atWork())
      const items = await reportJobs.claim({ leaseMs, count, heldByOrganization, perOrganizationMax: jobsPerOrganization })
      // Those of an organization that has reached its limit follow when one of its jobs has ended.
      return { items, next: 'with_room' }
    },
    carryOut,
    timeLimitSeconds: reportJobTimeLimitSeconds,
    abandonment: { afterMs: returnWithinMs, outcomeOf: afterInterruption },
    recording: { batchMax: 1, atOnce: jobsAtOnce },
    async record([ended]) {
      const { item: job, outcome, agoMs } = ended!
      return new Set((await reportJobs.record(job, outcome, { endedAgoMs: agoMs })) ? [job.id] : [])
    },
    onRecorded({ item: job, outcome }, isRecorded) {
      const line = { reportJobId: job.id, reportId: job.report.id, attemptNumber: job.attemptNumber, next: outcome.state }
      if (!isRecorded) log.warn(line, 'report job lease lost')
      else if (outcome.state === 'failed') log.error({ ...line, reason: outcome.reason }, 'report abandoned after final attempt')
      else log.info({ ...line, ...(outcome.state === 'prepared' && countsOf(outcome)) }, 'report job attempted')
    },
    renewal: {
      everyMs: renewEveryMs,
      renew: ({ leaseMs, items }) => reportJobs.renew({ leaseMs, items }),
      // The claim finds jobs whose lease has expired.
      recover: async () => {},
    },
    isInterruptedAtOnce: true,
  }
  return makeWorker(kind, { ...deps, workerId: newId(deps.random, 'worker') })
}

function afterInterruption({ attemptNumber }: ClaimedReportJob, interruption: Interruption): ReportJobDecision | undefined {
  if (interruption.kind === 'lease_lost') return undefined
  if (interruption.kind !== 'time_limit') return { state: 'given_back' }
  const reason = `Its queries took longer than ${interruption.seconds / 60} minutes. Use fewer distinct values or faster queries.`
  return decideFailedJob({ reason, isFinal: true, attemptNumber })
}

const countsOf = ({ contents, deliveries }: Extract<ReportJobDecision, { state: 'prepared' }>) => ({
  documentCount: contents.length,
  deliveryCount: deliveries.length,
})

/** For internal errors: the reason says where to look; the log has the details. */
const internalReason = ({ id }: ClaimedReportJob) => `An internal error occurred. The operator finds it in the log by the id ${id}.`
