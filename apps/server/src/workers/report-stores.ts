import { recordDeliveries } from '../domain/reports/record-report-deliveries.ts'
import { recordPreparedReport } from '../domain/reports/record-report-job.ts'
import type { ReportLinks } from '../domain/report-links.ts'
import type { TokenBucket } from '../domain/token-bucket.ts'
import type { RenderedReport } from '../model/report.ts'
import type { ClaimedReportDelivery, ClaimedReportJob, ReportDeliveryRecord, ReportJobDecision } from '../model/report-work.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Db } from '../store/db.ts'
import { claimReportDeliveries } from '../store/reports/claim-report-deliveries.ts'
import { claimReportJobs, renewReportJobs } from '../store/reports/claim-report-jobs.ts'
import type { TurnOptions } from '../store/due-in-turn.ts'
import { readReportContent } from '../store/reports/read-report-content.ts'
import type { Item } from '../work/kind.ts'

/** What the worker that prepares reports needs from a store. There are two: SQL, and the simulator's in-memory store. */
export interface ReportJobStore {
  claim(options: TurnOptions & { leaseMs: number }): Promise<ClaimedReportJob[]>
  renew(options: { leaseMs: number; items: Item[] }): Promise<ReadonlySet<string>>
  /** Inserts the deliveries of a prepared job in the same transaction. False if the lease is lost. */
  record(job: ClaimedReportJob, decision: ReportJobDecision, options: { endedAgoMs: number }): Promise<boolean>
}

/** What the worker that sends reports needs from a store. */
export interface ReportDeliveryStore {
  /**
   * `checkedCount` includes deliveries that were dropped because they are not wanted any more. `isMoreDueSoon`: before the claim, some were
   * due or would be within `soonMs`.
   */
  claim(
    options: TurnOptions & { leaseMs: number; soonMs: number },
  ): Promise<{ deliveries: ClaimedReportDelivery[]; checkedCount: number; isMoreDueSoon: boolean }>
  readContent(contentId: string): Promise<RenderedReport>
  /** Returns the ids of those that were recorded. The lease of the others is lost. */
  record(records: readonly ReportDeliveryRecord[]): Promise<ReadonlySet<string>>
}

interface StoreDeps {
  db: Db
  clock: Clock
  random: Random
  reportLinks: ReportLinks
  reportPace: TokenBucket
  baseUrl: string
}

export const makeSqlReportJobStore = (deps: Omit<StoreDeps, 'baseUrl'>): ReportJobStore => ({
  claim: (options) => claimReportJobs(deps.db, options),
  renew: (options) => renewReportJobs(deps.db, options),
  record: (job, decision, options) =>
    deps.db.transaction().execute((tx) => recordPreparedReport({ ...deps, tx }, job, decision, options)),
})

export const makeSqlReportDeliveryStore = (deps: Omit<StoreDeps, 'reportLinks' | 'reportPace'>): ReportDeliveryStore => ({
  claim: (options) => claimReportDeliveries(deps.db, options),
  readContent: (contentId) => readReportContent(deps.db, contentId),
  record: (records) => deps.db.transaction().execute((tx) => recordDeliveries({ ...deps, tx }, records)),
})
