import { type RawBuilder, sql } from 'kysely'
import type { AutomationInFull } from '../../model/automation.ts'
import { exactText } from '../snapshot.ts'

export interface AutomationRow extends Omit<AutomationInFull, 'schedule' | 'latestRun'> {
  cron: string | null
  timeZone: string | null
  createdAtText: string
  runId: string | null
  runStatus: NonNullable<AutomationInFull['latestRun']>['status']
  runIsStopped: boolean
  runRequestedAt: Date
  runEndedAt: Date | null
  runChatShortId: string
}

/** The fields of `automation` and of `run`, its latest run. */
export const automationFields = sql`automation.id, automation.organization_id as "organizationId", automation.name, automation.instructions,
    automation.agent, automation.enabled, automation.strict, automation.schedule_cron as cron,
    automation.schedule_time_zone as "timeZone", automation.next_due_at as "nextDueAt", automation.condition, automation.condition_state as "conditionState",
    automation.alert_state as "alertState", automation.snoozed_until as "snoozedUntil", automation.created_by as "createdBy", automation.created_at as "createdAt", automation.updated_at as "updatedAt",
    ${exactText(sql`automation.created_at`)} as "createdAtText",
    run.id as "runId", run.status as "runStatus", run.is_stopped as "runIsStopped", run.requested_at as "runRequestedAt",
    run.ended_at as "runEndedAt", run.short_id as "runChatShortId"`

export const referencesOf = (automationId: RawBuilder<unknown>) => sql`array(
      select reference.short_id
      from automation_references as named join query_references as reference on reference.id = named.reference_id
      where named.automation_id = ${automationId} and reference.deleted_at is null
      order by named.position)`

export const latestRunOf = (automationId: RawBuilder<unknown>, condition: RawBuilder<unknown> = sql`true`) => sql`
    select agent_runs.id, status, status = 'failed' and stop_requested_by is not null as is_stopped, requested_at, ended_at, short_id
    from agent_runs join chats on chats.id = chat_id
    where automation_id = ${automationId} and ${condition}
    order by requested_at desc, agent_runs.id desc
    limit 1`

export function presentRow(row: AutomationRow): AutomationInFull {
  const { cron, timeZone, createdAtText: _, runId, runStatus, runIsStopped, runRequestedAt, runEndedAt, runChatShortId, ...automation } =
    row
  return {
    ...automation,
    schedule: cron === null || timeZone === null ? null : { cron, timeZone },
    latestRun:
      runId === null
        ? null
        : {
            id: runId,
            status: runStatus,
            isStopped: runIsStopped,
            requestedAt: runRequestedAt,
            endedAt: runEndedAt,
            chatShortId: runChatShortId,
          },
  }
}
