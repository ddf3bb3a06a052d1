import { sql } from 'kysely'
import type { ClaimedReportJob, ReportJobDecision } from '../../model/report-work.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { dueInTurn, type TurnOptions } from '../due-in-turn.ts'

/**
 * Claims due jobs, in turns between organizations, by moving their next attempt to the end of a lease, so that no other worker sees them as due.
 * The job of a dead worker becomes due by itself when the lease ends.
 */
export async function claimReportJobs(db: Db, options: TurnOptions & { leaseMs: number }): Promise<ClaimedReportJob[]> {
  const { rows } = await sql<ClaimedReportJob>`${prepared}
    with recursive ${dueInTurn('report_jobs', options)},
    claimed as (
      update report_jobs as job
      set attempt_count = attempt_count + 1, lease_number = lease_number + 1, next_attempt_at = ${storeNowPlus(options.leaseMs)}
      from due where due.id = job.id
      returning job.*)
    select claimed.id, lease_number as "leaseNumber", attempt_count as "attemptNumber", claimed.organization_id as "organizationId",
      agent_run_id as "agentRunId", claimed.alert_number as "alertNumber", is_for_requester as "isForRequester", is_notable as "isNotable",
      is_condition_met as "isConditionMet", results_since as "resultsSince", requested_at as "requestedAt", claimed.traceparent,
      automation.name as "automationName", creator.role as "creatorRole",
      case when claimed.requested_by is not null then
        jsonb_build_object('userId', requester.id, 'email', lower(requester.email), 'role', requester_membership.role) end as "requestedBy",
      jsonb_build_object('id', report.id, 'automationId', report.automation_id, 'content', report.content, 'target', report.target,
        'when', report.sent_when, 'minimumSeverity', report.minimum_severity, 'values', report.recipient_values, 'attachments', report.attachments,
        'isEnabled', report.is_enabled and report.deleted_at is null, 'createdBy', report.created_by) as report
    from claimed
    join reports as report on report.id = claimed.report_id
    join automations as automation on automation.id = report.automation_id
    left join memberships as creator on creator.organization_id = report.organization_id and creator.user_id = report.created_by
    left join users as requester on requester.id = claimed.requested_by
    left join memberships as requester_membership
      on requester_membership.organization_id = claimed.organization_id and requester_membership.user_id = claimed.requested_by
    order by requested_at, claimed.id`.execute(db)
  return rows
}

/** Returns the ids of the jobs that this worker still holds. */
export async function renewReportJobs(
  db: Db,
  options: { leaseMs: number; items: { id: string; leaseNumber: number }[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`${prepared}
    update report_jobs as job set next_attempt_at = ${storeNowPlus(options.leaseMs)}
    from unnest(${options.items.map(({ id }) => id)}::text[], ${options.items.map(({ leaseNumber }) => leaseNumber)}::integer[])
      as held (id, lease_number)
    where job.id = held.id and job.lease_number = held.lease_number and job.state = 'due'
    returning job.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** False if the lease is lost. Deliveries of a prepared job are inserted in the same transaction. */
export async function recordReportJob(
  tx: Tx,
  job: Pick<ClaimedReportJob, 'id' | 'leaseNumber' | 'attemptNumber'>,
  decision: ReportJobDecision,
  { endedAgoMs }: { endedAgoMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('report_jobs')
    .set(columnsOf(job, decision, endedAgoMs))
    .where('id', '=', job.id)
    .where('state', '=', 'due')
    .where('lease_number', '=', job.leaseNumber)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether this outcome has been recorded before, and the response was lost. */
export async function isReportJobRecorded(
  tx: Tx,
  job: Pick<ClaimedReportJob, 'id' | 'leaseNumber'>,
  { state }: ReportJobDecision,
): Promise<boolean> {
  const row = await tx
    .selectFrom('report_jobs')
    .select(['state', 'lease_number'])
    .where('id', '=', job.id)
    .executeTakeFirst()
  return row !== undefined && row.state !== 'due' && row.state === state && row.lease_number === job.leaseNumber
}

function columnsOf({ attemptNumber }: Pick<ClaimedReportJob, 'attemptNumber'>, decision: ReportJobDecision, endedAgoMs: number) {
  switch (decision.state) {
    case 'due':
      return { next_attempt_at: storeNowPlus(decision.waitMs - endedAgoMs), reason: decision.reason }
    // The attempt does not count.
    case 'given_back':
      return { next_attempt_at: storeNow, attempt_count: attemptNumber - 1 }
    case 'prepared':
      return { state: decision.state, next_attempt_at: null, ended_at: storeNow, reason: null }
    case 'skipped':
    case 'failed':
      return { state: decision.state, next_attempt_at: null, ended_at: storeNow, reason: decision.reason }
  }
}
