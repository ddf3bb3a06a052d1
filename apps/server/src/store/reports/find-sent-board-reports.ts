import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { isEventWanted } from '../webhooks/subscribers.ts'

/** A delivery of a report with a board, and what its event needs. */
export interface SentBoardReport {
  deliveryId: string
  automationId: string
  automationName: string
  runId: string
  reportId: string
  boardShortId: string
  boardTitle: string | null
}

/** Those of the deliveries that have a board, and whose event somebody wants. */
export async function findSentBoardReports(tx: Tx, deliveryIds: readonly string[]): Promise<SentBoardReport[]> {
  const { rows } = await sql<SentBoardReport>`${prepared}
    select delivery.id as "deliveryId", automation.id as "automationId", automation.name as "automationName", delivery.agent_run_id as "runId",
      report.id as "reportId", report.content ->> 'boardShortId' as "boardShortId",
      (select title from boards
       where boards.organization_id = report.organization_id and boards.short_id = report.content ->> 'boardShortId'
         and boards.deleted_at is null) as "boardTitle"
    from report_deliveries as delivery
    join reports as report on report.id = delivery.report_id
    join automations as automation on automation.id = report.automation_id
    where delivery.id = any(${deliveryIds}::text[])
      and delivery.agent_run_id is not null and report.content ->> 'kind' = 'board'
      and ${isEventWanted(sql`delivery.organization_id`, 'board.report.sent')}`.execute(tx)
  return rows
}
