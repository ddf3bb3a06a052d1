import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { isEventWanted } from '../webhooks/subscribers.ts'

/** A delivery of a report with a board, and what its event needs. */
export interface SentBoardReport {
  automationId: string
  automationName: string
  runId: string
  reportId: string
  boardShortId: string
  boardTitle: string | null
}

/** Undefined if the report has no board, or if nobody wants the event. */
export async function findSentBoardReport(
  tx: Tx,
  key: { organizationId: string; deliveryId: string },
): Promise<SentBoardReport | undefined> {
  const { rows } = await sql<SentBoardReport>`
    select automation.id as "automationId", automation.name as "automationName", delivery.agent_run_id as "runId",
      report.id as "reportId", report.content ->> 'boardShortId' as "boardShortId",
      (select title from boards
       where boards.organization_id = report.organization_id and boards.short_id = report.content ->> 'boardShortId'
         and boards.deleted_at is null) as "boardTitle"
    from report_deliveries as delivery
    join reports as report on report.id = delivery.report_id
    join automations as automation on automation.id = report.automation_id
    where delivery.id = ${key.deliveryId} and delivery.organization_id = ${key.organizationId}
      and delivery.agent_run_id is not null and report.content ->> 'kind' = 'board'
      and ${isEventWanted(sql`delivery.organization_id`, 'board.report.sent')}`.execute(tx)
  return rows[0]
}
