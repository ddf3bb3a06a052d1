import { sql } from 'kysely'
import type { Severity } from '../../model/alert.ts'
import { currentTraceparent } from '../../ports/telemetry/spans.ts'
import type { Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

/**
 * One job for each enabled report of an automation whose run has completed, in the transaction of the run's end. The id is made of the
 * report's and the run's, so that there is never a second one.
 */
export async function insertReportJobs(
  tx: Tx,
  run: { id: string; automationId: string; isNotable: boolean; isStartedByCondition: boolean },
): Promise<void> {
  await sql`${wakes('report_jobs')}
    insert into report_jobs
      (id, organization_id, report_id, agent_run_id, is_notable, is_condition_met, results_since, requested_at, next_attempt_at,
        traceparent)
    select 'rjob_' || md5(report.id || ' ' || run.id), report.organization_id, report.id, run.id, ${run.isNotable},
      ${run.isStartedByCondition} or coalesce((automation.condition_state ->> 'isMet')::boolean, false),
      run.requested_at, ${storeNow}, ${storeNow}, ${currentTraceparent()}::text
    from reports as report
    join automations as automation on automation.id = report.automation_id
    join agent_runs as run on run.id = ${run.id}
    where report.automation_id = ${run.automationId} and report.is_enabled and report.deleted_at is null
      and report.sent_when <> 'alert'`.execute(tx)
}

/** One job for each enabled report that sends the messages of an alert of such a severity, in the transaction of the message. */
export async function insertAlertJobs(
  tx: Tx,
  message: { automationId: string; number: number; severities: readonly Severity[] },
): Promise<void> {
  await sql`${wakes('report_jobs')}
    insert into report_jobs
      (id, organization_id, report_id, alert_number, is_notable, is_condition_met, results_since, requested_at, next_attempt_at,
        traceparent)
    select 'rjob_' || md5(report.id || ' alert ' || ${String(message.number)}), report.organization_id, report.id, ${message.number}, true, true,
      ${storeNow}, ${storeNow}, ${storeNow}, ${currentTraceparent()}::text
    from reports as report
    where report.automation_id = ${message.automationId} and report.is_enabled and report.deleted_at is null and report.sent_when = 'alert'
      and (report.minimum_severity is null or report.minimum_severity = any (${[...message.severities]}::text[]))`.execute(tx)
}

/** A test of a report, whether it is enabled or not. */
export async function insertTestJob(
  tx: Tx,
  job: { id: string; organizationId: string; reportId: string; requestedBy: string; isForRequester: boolean; resultsSince: Date },
): Promise<void> {
  await tx
    .insertInto('report_jobs')
    .values({
      id: job.id,
      organization_id: job.organizationId,
      report_id: job.reportId,
      agent_run_id: null,
      requested_by: job.requestedBy,
      is_for_requester: job.isForRequester,
      is_notable: true,
      is_condition_met: true,
      results_since: job.resultsSince,
      requested_at: storeNow,
      next_attempt_at: storeNow,
      traceparent: currentTraceparent(),
    })
    .modifyEnd(wakes('report_jobs'))
    .execute()
}
