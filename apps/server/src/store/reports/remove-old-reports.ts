import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Deliveries that ended and were created before the given time. One portion per call. */
export async function removeOldReportDeliveries(db: Db, options: { createdBefore: Date; portion: number }): Promise<number> {
  return removed(db, sql`
    delete from report_deliveries where id = any (array(
      select id from report_deliveries
      where created_at < ${options.createdBefore} and state <> 'due'
      order by created_at
      limit ${options.portion}
      for update skip locked))`)
}

/** Jobs that ended before the given time and have no deliveries. */
export async function removeOldReportJobs(db: Db, options: { endedBefore: Date; portion: number }): Promise<number> {
  return removed(db, sql`
    delete from report_jobs where id = any (array(
      select id from report_jobs as job
      where ended_at < ${options.endedBefore}
        and not exists (select from report_deliveries as delivery where delivery.job_id = job.id)
      order by ended_at
      limit ${options.portion}
      for update skip locked))`)
}

/** Documents that no delivery refers to. New ones are inserted together with their deliveries, so only old ones are checked. */
export async function removeUnusedReportContents(db: Db, options: { createdBefore: Date; portion: number }): Promise<number> {
  return removed(db, sql`
    delete from report_contents where id = any (array(
      select id from report_contents as content
      where created_at < ${options.createdBefore}
        and not exists (select from report_deliveries as delivery where delivery.content_id = content.id)
      order by created_at
      limit ${options.portion}
      for update skip locked))`)
}

/** Reports that were deleted before the given time and have no deliveries left. */
export async function removeDeletedReports(db: Db, options: { deletedBefore: Date; portion: number }): Promise<number> {
  return removed(db, sql`
    delete from reports where id = any (array(
      select id from reports as report
      where deleted_at < ${options.deletedBefore}
        and not exists (select from report_deliveries as delivery where delivery.report_id = report.id)
      order by deleted_at
      limit ${options.portion}
      for update skip locked))`)
}

async function removed(db: Db, statement: ReturnType<typeof sql>): Promise<number> {
  const { numAffectedRows } = await statement.execute(db)
  return Number(numAffectedRows ?? 0n)
}
