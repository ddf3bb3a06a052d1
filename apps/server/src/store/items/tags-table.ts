import { sql } from 'kysely'
import type { ItemKind } from '../../model/item.ts'
import type { Db, Tx } from '../db.ts'

export interface TaggedItem {
  organizationId: string
  kind: ItemKind
  itemId: string
}

/** In alphabetical order. */
export async function readTags(db: Db | Tx, item: TaggedItem): Promise<string[]> {
  const rows = await db
    .selectFrom('item_tags')
    .select('tag')
    .where('organization_id', '=', item.organizationId)
    .where('kind', '=', item.kind)
    .where('item_id', '=', item.itemId)
    .orderBy('key')
    .execute()
  return rows.map(({ tag }) => tag)
}

export async function replaceTags(tx: Tx, item: TaggedItem & { tags: string[] }): Promise<void> {
  await tx
    .deleteFrom('item_tags')
    .where('organization_id', '=', item.organizationId)
    .where('kind', '=', item.kind)
    .where('item_id', '=', item.itemId)
    .execute()
  if (item.tags.length === 0) return
  const { organizationId, kind, itemId } = item
  await tx
    .insertInto('item_tags')
    .values(item.tags.map((tag) => ({ organization_id: organizationId, kind, item_id: itemId, tag, key: tagKey(tag) })))
    .execute()
}

export const tagKey = (tag: string): string => tag.toLowerCase()

/** More items of a tag are not counted, and more tags not looked at, so that the cost does not grow with the organization. */
const tagLimits = { counted: 100, tags: 1_000 }

/**
 * The organization's tags and the number of items with each, at most 100; the most used first. Deleted items do not count. The tags are
 * found by jumping from one to the next in the index.
 */
export async function readUsedTags(db: Db, search: { organizationId: string; count: number }): Promise<{ tag: string; count: number }[]> {
  const { organizationId } = search
  const { rows } = await sql<{ tag: string; count: number }>`
    with recursive used (key) as (
      (select key from item_tags where organization_id = ${organizationId} order by key limit 1)
      union all
      select (select next.key from item_tags as next where next.organization_id = ${organizationId} and next.key > used.key
        order by next.key limit 1)
      from used where used.key is not null)
    select counted.tag, counted.count
    from (select key from used where key is not null limit ${tagLimits.tags}) as used
    cross join lateral (
      select min(tag) as tag, count(*)::integer as count
      from (
        select tagged.tag from item_tags as tagged
        where tagged.organization_id = ${organizationId} and tagged.key = used.key and coalesce(
          -- Not \`exists\`, for which PostgreSQL may read the whole table once.
          (select true from query_references where tagged.kind = 'reference' and id = tagged.item_id and deleted_at is null),
          (select true from boards where tagged.kind = 'board' and id = tagged.item_id and deleted_at is null))
        limit ${tagLimits.counted}) as tagged) as counted
    where counted.count > 0
    order by counted.count desc, used.key
    limit ${search.count}`.execute(db)
  return rows
}
