import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

export interface EventNews {
  organizationId: string
  /** The current snapshot, the same for all organizations. */
  snapshot: string
  /** Whether it contains events that the previous snapshot did not. */
  hasNews: boolean
  webhooksEnabled: boolean
}

/**
 * Checks many organizations for new events at once, each against its previous snapshot; without one, an organization has news.
 * Costs one index step per organization, however many events there are. The `order by` is needed, because for a plain `exists` the
 * planner would scan the table until it finds a match.
 */
export async function findEventNews(
  db: Db,
  checks: { organizationId: string; seen: string | null }[],
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
      ${checks.map(({ organizationId }) => organizationId)}::text[],
      ${checks.map(({ seen }) => seen)}::text[]
    ) as look (organization_id, seen)
    join organizations as organization on organization.id = look.organization_id`.execute(db)
  return rows
}
