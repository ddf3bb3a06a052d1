import { type RawBuilder, sql } from 'kysely'
import type { ItemKind } from '../../model/item.ts'
import type { Db } from '../db.ts'

export interface RemovalOptions {
  /** Items in the trash since before this time are removed. */
  deletedBefore: Date
  /** Items that somebody removed from the trash before this time are removed. */
  removedBefore: Date
  batchSize: number
}

/** Removes boards that are no longer needed, with everything that belongs to them, one batch per call. Returns their number. */
export const removeDeletedBoards = (db: Db, options: RemovalOptions): Promise<number> =>
  remove(db, { ...options, kind: 'board', items: sql.table('boards'), isKept: sql`false`, alsoDeleted: [] })

/**
 * The same for references. Automations skip deleted references, so they lose nothing. One that an automation watches stays, because
 * its condition would have nothing to refer to.
 */
export const removeDeletedReferences = (db: Db, options: RemovalOptions): Promise<number> =>
  remove(db, {
    ...options,
    kind: 'reference',
    items: sql.table('query_references'),
    isKept: sql`exists (select from automations where watched_reference_id = item.id)`,
    alsoDeleted: [
      sql`delete from automation_references where reference_id in (select id from leaving)`,
      sql`delete from automation_observations where reference_id in (select id from leaving)`,
    ],
  })

async function remove(
  db: Db,
  options: RemovalOptions & {
    kind: ItemKind
    items: RawBuilder<unknown>
    isKept: RawBuilder<unknown>
    alsoDeleted: RawBuilder<unknown>[]
  },
): Promise<number> {
  const { kind, items } = options
  const ofLeaving = sql`kind = ${kind} and item_id in (select id from leaving)`
  const belongings = [
    ...['favorites', 'recent_views', 'item_tags', 'comment_threads', 'deleted_items'].map((table) => sql`delete from ${sql.table(table)} where ${ofLeaving}`),
    ...options.alsoDeleted,
  ]
  // Restoring locks the item before its row of the trash, and so does this statement.
  const { rows } = await sql<{ count: number }>`
    with leaving as (
      select item.id
      from deleted_items as deleted join ${items} as item on item.id = deleted.item_id
      where deleted.kind = ${kind} and item.deleted_at is not null and not ${options.isKept}
        and (deleted.left_at is null and deleted.deleted_at < ${options.deletedBefore}
          or deleted.is_removed and deleted.left_at < ${options.removedBefore})
      limit ${options.batchSize} for update of item skip locked),
    ${sql.join(belongings.map((statement, index) => sql`${sql.ref(`belonging_${index}`)} as (${statement})`))},
    removed as (delete from ${items} where id in (select id from leaving) returning id)
    select count(*)::integer as count from removed`.execute(db)
  return rows[0]!.count
}

/** Removes rows of items that were restored so long ago that no list refers to the time before. Returns their number. */
export async function removeRestoredItems(db: Db, options: { restoredBefore: Date; batchSize: number }): Promise<number> {
  const removed = await sql`
    delete from deleted_items where id = any (array(
      select id from deleted_items where left_at < ${options.restoredBefore} and not is_removed
      limit ${options.batchSize} for update skip locked))`.execute(db)
  return Number(removed.numAffectedRows ?? 0n)
}
