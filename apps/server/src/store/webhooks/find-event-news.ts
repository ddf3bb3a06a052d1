import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

export interface EventNews {
  organizationId: string
  /** What there is now; the same for all. */
  snapshot: string
  /** Whether it shows events that were not there at the look before. */
  hasNews: boolean
  webhooksEnabled: boolean
}

/**
 * Looks for new events of many organizations at once. Each says what the look before saw; who says nothing has news.
 * Costs one step in an index for each organization, however many events there are: in an order, since for a mere
 * "exists" the planner would rather read the table until it meets one.
 */
export async function findEventNews(
  db: Db,
  looks: { organizationId: string; seen: string | null }[],
): Promise<EventNews[]> {
  const { rows } = await sql<EventNews>`${prepared}
    select look.organization_id as "organizationId", pg_current_snapshot()::text as snapshot,
      organization.webhooks_enabled as "webhooksEnabled",
      look.seen is null or coalesce((
        select true from webhook_events as event
        where event.organization_id = look.organization_id
          and event.published_xid >= pg_snapshot_xmin(look.seen::pg_snapshot)
          and not pg_visible_in_snapshot(event.published_xid, look.seen::pg_snapshot)
        order by event.published_xid
        limit 1), false) as "hasNews"
    from unnest(
      ${looks.map(({ organizationId }) => organizationId)}::text[],
      ${looks.map(({ seen }) => seen)}::text[]
    ) as look (organization_id, seen)
    join organizations as organization on organization.id = look.organization_id`.execute(db)
  return rows
}
