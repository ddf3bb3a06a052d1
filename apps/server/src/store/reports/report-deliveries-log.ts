import { sql } from 'kysely'
import type { ChannelKind } from '../../model/channel.ts'
import type { ItemKey } from '../../model/page.ts'
import type { ReportDelivery, ReportDeliveryState } from '../../model/report.ts'
import type { Db, Tx } from '../db.ts'
import { exactText } from '../snapshot.ts'
import { currentTraceparent } from '../../ports/telemetry/spans.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

export interface ReportDeliveryFilter {
  automationId?: string
  reportId?: string
  automationRunId?: string
  state?: ReportDeliveryState
}

/** A delivery with the name of the automation. */
export interface LoggedReportDelivery extends ReportDelivery {
  automation: { id: string; name: string }
  channelId: string | null
  /** Null for an e-mail, and for a channel that was deleted. */
  channelKind: ChannelKind | null
}

/** Newest first. */
export async function readReportDeliveriesPage(
  db: Db,
  page: { organizationId: string; filter: ReportDeliveryFilter; after?: ItemKey; count: number },
): Promise<{ item: LoggedReportDelivery; key: ItemKey }[]> {
  const { after, filter } = page
  const { rows } = await sql<LoggedReportDelivery & { createdAtText: string }>`
    ${selection}
    where delivery.organization_id = ${page.organizationId}
      ${filter.automationId === undefined ? sql`` : sql`and report.automation_id = ${filter.automationId}`}
      ${filter.reportId === undefined ? sql`` : sql`and delivery.report_id = ${filter.reportId}`}
      ${filter.automationRunId === undefined ? sql`` : sql`and delivery.agent_run_id = ${filter.automationRunId}`}
      ${filter.state === undefined ? sql`` : sql`and delivery.state = ${filter.state}`}
      ${after ? sql`and (delivery.created_at, delivery.id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
    order by delivery.created_at desc, delivery.id desc
    limit ${page.count}`.execute(db)
  return rows.map(({ createdAtText, ...item }) => ({ item, key: { createdAt: createdAtText, id: item.id } }))
}

export async function findReportDelivery(
  db: Db | Tx,
  key: { organizationId: string; deliveryId: string },
): Promise<LoggedReportDelivery | undefined> {
  const { rows } = await sql<LoggedReportDelivery & { createdAtText: string }>`
    ${selection}
    where delivery.organization_id = ${key.organizationId} and delivery.id = ${key.deliveryId}`.execute(db)
  if (!rows[0]) return undefined
  const { createdAtText: _, ...delivery } = rows[0]
  return delivery
}

/** Makes an ended delivery due again, with all its attempts. False if it is due. What was attempted before stays in the log. */
export async function resendReportDelivery(tx: Tx, deliveryId: string): Promise<boolean> {
  const { rows } = await sql`${wakes('report_deliveries')}
    update report_deliveries
    set state = 'due', drop_reason = null, attempt_count = 0, resend_count = resend_count + 1,
      next_attempt_at = ${storeNow}, ended_at = null, traceparent = ${currentTraceparent()}::text
    where id = ${deliveryId} and state <> 'due'
    returning id`.execute(tx)
  return rows.length > 0
}

const selection = sql`
  select delivery.id, delivery.report_id as "reportId", delivery.purpose, delivery.agent_run_id as "automationRunId",
    delivery.recipient, delivery.channel_id as "channelId", channel.kind as "channelKind", delivery.recipient_values as values, delivery.content_id as "contentId",
    delivery.state, delivery.drop_reason as "dropReason", delivery.attempts, delivery.created_at as "createdAt",
    delivery.next_attempt_at as "nextAttemptAt", delivery.ended_at as "endedAt",
    jsonb_build_object('id', automation.id, 'name', automation.name) as automation,
    ${exactText(sql`delivery.created_at`)} as "createdAtText"
  from report_deliveries as delivery
  join reports as report on report.id = delivery.report_id
  join automations as automation on automation.id = report.automation_id
  left join channels as channel on channel.id = delivery.channel_id`
