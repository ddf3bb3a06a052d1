import { sql } from 'kysely'
import type { ItemKind } from '../../model/item.ts'
import type { Db, Tx } from '../db.ts'

export interface DeletedItemKey {
  kind: ItemKind
  itemId: string
}

const isInTrash = ({ kind, itemId }: DeletedItemKey) => sql`kind = ${kind} and item_id = ${itemId} and left_at is null`

/** Part of the transaction that deletes the item. The trigger of 0081 has added the row. */
export async function recordWhoDeleted(tx: Db, key: DeletedItemKey & { deletedBy: string }): Promise<void> {
  await sql`update deleted_items set deleted_by = ${key.deletedBy} where ${isInTrash(key)}`.execute(tx)
}

/** Locks an item that was deleted after `deletedAfter` and has not been removed since. It can then be restored or removed. */
export async function lockDeletedItem(
  tx: Tx,
  key: { organizationId: string; kind: ItemKind; shortId: string; deletedAfter: Date },
): Promise<{ id: string; title: string } | undefined> {
  const items = key.kind === 'reference' ? sql.table('query_references') : sql.table('boards')
  const { rows } = await sql<{ id: string; title: string }>`
    select id, title from ${items}
    where organization_id = ${key.organizationId} and short_id = ${key.shortId} and deleted_at > ${key.deletedAfter}
    for update`.execute(tx)
  const item = rows[0]
  if (!item) return undefined
  // After the item is locked, nobody else can take it out of the trash.
  const { rows: found } = await sql`
    select from deleted_items where ${isInTrash({ kind: key.kind, itemId: item.id })}`.execute(tx)
  return found.length > 0 ? item : undefined
}

/** Permanently takes a locked item out of the trash. A sweep removes it when no list can show it any more. */
export async function markItemRemoved(tx: Tx, key: DeletedItemKey & { now: Date }): Promise<void> {
  await sql`
    update deleted_items set is_removed = true, left_at = ${key.now}, left_xid = pg_current_xact_id()
    where ${isInTrash(key)}`.execute(tx)
}
