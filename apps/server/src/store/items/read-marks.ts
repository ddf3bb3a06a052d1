import { sql } from 'kysely'
import type { ItemKind, ItemMarks } from '../../model/item.ts'
import type { Db } from '../db.ts'

/** The marks of listed items for one person: a few index lookups each. */
export async function readMarks(
  db: Db,
  options: { organizationId: string; userId: string; kind: ItemKind; itemIds: string[] },
): Promise<Map<string, ItemMarks>> {
  const { organizationId, userId, kind, itemIds } = options
  if (itemIds.length === 0) return new Map()
  const items = kind === 'reference' ? sql.table('query_references') : sql.table('boards')
  const { rows } = await sql<ItemMarks & { id: string }>`
    select listed.id,
      (select folder_id from ${items} where id = listed.id and organization_id = ${organizationId}) as "folderId",
      exists (
        select from favorites
        where user_id = ${userId} and organization_id = ${organizationId} and kind = ${kind} and item_id = listed.id
      ) as "isFavorite",
      array(
        select tag from item_tags
        where organization_id = ${organizationId} and kind = ${kind} and item_id = listed.id order by key
      ) as tags
    from unnest(${itemIds}::text[]) as listed (id)`.execute(db)
  return new Map(rows.map(({ id, ...marks }) => [id, marks]))
}
