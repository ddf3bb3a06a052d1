import { sql } from 'kysely'
import type { ClaimedReportDelivery } from '../../model/report-work.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { dueInTurn, type TurnOptions } from '../due-in-turn.ts'

/**
 * Claims due deliveries, in turns between organizations, by moving their next attempt to the end of a lease. The same statement drops
 * deliveries that are not wanted: this is the only place that decides it, and the last moment before sending.
 */
export async function claimReportDeliveries(
  db: Db,
  options: TurnOptions & { leaseMs: number; soonMs: number },
): Promise<{ deliveries: ClaimedReportDelivery[]; checkedCount: number; isMoreDueSoon: boolean }> {
  const { rows } = await sql<ClaimedReportDelivery & { checkedCount: number; isMoreDueSoon: boolean }>`${prepared}
    with recursive ${dueInTurn('report_deliveries', options)},
    judged as materialized (
      select delivery.id, channel.kind, channel.settings, channel.sealed_secret, report.target ->> 'conversation' as conversation,
        case
          when delivery.purpose = 'test' then
            case when delivery.channel_id is null and member.user_id is null then 'not_a_member' end
          when delivery.purpose = 'confirmation' then
            case address.state when 'confirmed' then 'already_confirmed' when 'bounced' then 'bounced' end
          when not report.is_enabled or report.deleted_at is not null then 'report_disabled'
          when delivery.channel_id is not null then
            case when coalesce(channel.state, 'disabled') <> 'enabled' then 'channel_disabled' end
          when unsubscription.email is not null then 'unsubscribed'
          when delivery.user_id is not null then case when member.user_id is null then 'not_a_member' end
          when address.state = 'bounced' then 'bounced'
          when coalesce(address.state, 'unconfirmed') <> 'confirmed' then 'unconfirmed'
        end as drop_reason
      from due
      join report_deliveries as delivery on delivery.id = due.id
      join reports as report on report.id = delivery.report_id
      left join channels as channel on channel.id = delivery.channel_id
      left join memberships as member
        on member.organization_id = delivery.organization_id and member.user_id = delivery.user_id
      left join report_addresses as address
        on address.organization_id = delivery.organization_id and address.email = delivery.recipient
      left join report_unsubscriptions as unsubscription
        on unsubscription.report_id = delivery.report_id and unsubscription.email = delivery.recipient),
    dropped as (
      update report_deliveries as delivery
      set state = 'dropped', drop_reason = judged.drop_reason, next_attempt_at = null, ended_at = ${storeNow}
      from judged where judged.id = delivery.id and judged.drop_reason is not null),
    claimed as (
      update report_deliveries as delivery
      set attempt_count = attempt_count + 1, lease_number = lease_number + 1, next_attempt_at = ${storeNowPlus(options.leaseMs)}
      from judged where judged.id = delivery.id and judged.drop_reason is null
      returning delivery.id, lease_number as "leaseNumber", attempt_count as "attemptNumber",
        resend_count as "resendCount", organization_id as "organizationId", report_id as "reportId", purpose, recipient, content_id as "contentId",
        delivery.traceparent,
        delivery.channel_id as "channelId", judged.kind, judged.settings, judged.sealed_secret as "sealedSecret", judged.conversation)
    select claimed.*, "checkedCount", "isMoreDueSoon"
    from (
      select (select count(*)::integer from judged) as "checkedCount",
        exists (select from oldest where due_at <= ${storeNowPlus(options.soonMs)}) as "isMoreDueSoon") as looked
    left join claimed on true`.execute(db)
  const { checkedCount, isMoreDueSoon } = rows[0]!
  const claimed = (rows as unknown as ClaimedRow[]).filter(({ id }) => id !== null)
  return { deliveries: claimed.map(present), checkedCount, isMoreDueSoon }
}

type ClaimedRow = Omit<ClaimedReportDelivery, 'channel'> &
  Omit<NonNullable<ClaimedReportDelivery['channel']>, 'id'> & { channelId: string | null; checkedCount: number; isMoreDueSoon: boolean }

function present({ channelId, kind, settings, sealedSecret, conversation, checkedCount: _, isMoreDueSoon: __, ...delivery }: ClaimedRow): ClaimedReportDelivery {
  return { ...delivery, channel: channelId === null ? null : { id: channelId, kind, settings, sealedSecret, conversation } }
}
