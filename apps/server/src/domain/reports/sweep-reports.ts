import { keptMs } from '../../model/kept-times.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import {
  removeDeletedReports,
  removeOldReportDeliveries,
  removeOldReportJobs,
  removeUnusedReportContents,
} from '../../store/reports/remove-old-reports.ts'
import { removeExpiredDownloads } from '../../store/reports/report-downloads-table.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'

/** How far back the log of deliveries goes. */
export const reportDeliveryKeptMs = keptMs.reportDeliveries

/** Documents go with the last of their deliveries, and so do jobs and deleted reports. Files go when their links expire. */
export function reportSweeps(deps: { db: Db; clock: Clock }): Sweep[] {
  const { db } = deps
  const before = new Date(deps.clock.now().getTime() - reportDeliveryKeptMs)
  return [
    sweepOf('report_deliveries', (portion) => removeOldReportDeliveries(db, { createdBefore: before, portion })),
    sweepOf('report_jobs', (portion) => removeOldReportJobs(db, { endedBefore: before, portion })),
    sweepOf('report_downloads', (portion) => removeExpiredDownloads(db, { portion })),
    sweepOf('report_contents', (portion) => removeUnusedReportContents(db, { createdBefore: before, portion })),
    sweepOf('reports', (portion) => removeDeletedReports(db, { deletedBefore: before, portion })),
  ]
}
