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

/** The organization's tags and the number of items with each, the most used first. Deleted items do not count. */
export async function readUsedTags(db: Db, search: { organizationId: string; count: number }): Promise<{ tag: string; count: number }[]> {
  const { rows } = await sql<{ tag: string; count: number }>`
    select min(tagged.tag) as tag, count(*)::integer as count
    from item_tags as tagged
    where tagged.organization_id = ${search.organizationId} and (
      exists (select from query_references where tagged.kind = 'reference' and id = tagged.item_id and deleted_at is null)
      or exists (select from boards where tagged.kind = 'board' and id = tagged.item_id and deleted_at is null))
    group by tagged.key
    order by count desc, tagged.key
    limit ${search.count}`.execute(db)
  return rows
}
