import { sql } from 'kysely'
import type { Item } from '../../model/item.ts'
import type { Db } from '../db.ts'
import { existingItem, type ItemOfPerson } from './favorites-table.ts'

export interface RecentView extends Item {
  viewedAt: Date
}

/** Writes nothing if the person opened the item less than a minute ago, as when a page is reloaded. */
export async function recordView(db: Db, view: ItemOfPerson & { now: Date }): Promise<void> {
  await sql`
    insert into recent_views (organization_id, user_id, kind, item_id, viewed_at)
    values (${view.organizationId}, ${view.userId}, ${view.kind}, ${view.itemId}, ${view.now})
    on conflict (user_id, organization_id, kind, item_id) do update set viewed_at = excluded.viewed_at
    where recent_views.viewed_at < excluded.viewed_at - interval '1 minute'`.execute(db)
}

/** Keeps the newest views of a person. */
export async function removeOldViews(db: Db, person: { organizationId: string; userId: string; kept: number }): Promise<void> {
  await sql`
    delete from recent_views
    where user_id = ${person.userId} and organization_id = ${person.organizationId} and viewed_at < (
      select viewed_at from recent_views
      where user_id = ${person.userId} and organization_id = ${person.organizationId}
      order by viewed_at desc offset ${person.kept - 1} limit 1)`.execute(db)
}

/** Newest first, without deleted items. */
export async function readRecentViews(
  db: Db,
  person: { organizationId: string; userId: string; count: number },
): Promise<RecentView[]> {
  const { rows } = await sql<RecentView>`
    select view.kind, item.short_id as "shortId", item.title, item.description, view.viewed_at as "viewedAt"
    from recent_views as view
    ${existingItem(sql`view`)}
    where view.user_id = ${person.userId} and view.organization_id = ${person.organizationId}
    order by view.viewed_at desc, item.short_id
    limit ${person.count}`.execute(db)
  return rows
}
