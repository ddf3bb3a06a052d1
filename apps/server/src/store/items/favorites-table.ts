import { sql } from 'kysely'
import type { Item, ItemKind } from '../../model/item.ts'
import type { Db, Tx } from '../db.ts'

/** An item and the person who marks or opens it. */
export interface ItemOfPerson {
  organizationId: string
  userId: string
  kind: ItemKind
  itemId: string
}

export interface Favorite extends Item {
  markedAt: Date
}

/** Adding a favorite twice succeeds. */
export async function insertFavorite(tx: Tx, favorite: ItemOfPerson & { now: Date }): Promise<void> {
  await tx
    .insertInto('favorites')
    .values({
      organization_id: favorite.organizationId,
      user_id: favorite.userId,
      kind: favorite.kind,
      item_id: favorite.itemId,
      created_at: favorite.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removing a missing favorite succeeds. */
export async function removeFavorite(db: Db, favorite: ItemOfPerson): Promise<void> {
  await db
    .deleteFrom('favorites')
    .where('user_id', '=', favorite.userId)
    .where('organization_id', '=', favorite.organizationId)
    .where('kind', '=', favorite.kind)
    .where('item_id', '=', favorite.itemId)
    .execute()
}

export async function countFavorites(tx: Tx, person: { organizationId: string; userId: string }): Promise<number> {
  const { count } = await tx
    .selectFrom('favorites')
    .where('user_id', '=', person.userId)
    .where('organization_id', '=', person.organizationId)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** By title, without deleted items. */
export async function readFavorites(db: Db, person: { organizationId: string; userId: string }): Promise<Favorite[]> {
  const { rows } = await sql<Favorite>`
    select favorite.kind, item.short_id as "shortId", item.title, item.description, favorite.created_at as "markedAt"
    from favorites as favorite
    ${existingItem(sql`favorite`)}
    where favorite.user_id = ${person.userId} and favorite.organization_id = ${person.organizationId}
    order by lower(item.title), item.short_id`.execute(db)
  return rows
}

/** Joins the item that a row refers to, unless it is deleted. */
export const existingItem = (row: ReturnType<typeof sql>) => sql`
  cross join lateral (
    select short_id, title, description from query_references
    where ${row}.kind = 'reference' and id = ${row}.item_id and organization_id = ${row}.organization_id and deleted_at is null
    union all
    select short_id, title, description from boards
    where ${row}.kind = 'board' and id = ${row}.item_id and organization_id = ${row}.organization_id and deleted_at is null
  ) as item`
