import { sql } from 'kysely'
import type { TrashItem } from '../../model/item.ts'
import type { KeyedRow, PageRead, PageRows } from '../../model/page.ts'
import type { Db } from '../db.ts'
import { readSnapshotPage } from '../snapshot-page.ts'
import { exactText, visibleIn } from '../snapshot.ts'

interface ItemRow extends Omit<TrashItem, 'deletedBy'> {
  id: string
  deletedBy: string | null
  deletedByName: string | null
  deletedAtText: string
}

/**
 * One page of an organization's trash, the latest deletion first, as of one snapshot. A later page also shows items that were
 * restored since, but not those that have been removed from the database.
 */
export async function readTrashPage(
  db: Db,
  page: PageRead & { deletedAfter: Date },
): Promise<PageRows<TrashItem> | 'snapshot_unknown'> {
  const { from } = page
  return readSnapshotPage(db, {
    from,
    selected: sql<ItemRow>`
      select deleted.id::text as id, deleted.kind, item.short_id as "shortId", item.title, deleted.deleted_at as "deletedAt",
        ${exactText(sql`deleted.deleted_at`)} as "deletedAtText", deleted.deleted_by as "deletedBy",
        (select name from users where users.id = deleted.deleted_by) as "deletedByName"
      from deleted_items as deleted
      cross join lateral (
        select short_id, title from query_references where deleted.kind = 'reference' and id = deleted.item_id
        union all
        select short_id, title from boards where deleted.kind = 'board' and id = deleted.item_id
      ) as item
      where deleted.organization_id = ${page.organizationId} and deleted.deleted_at > ${page.deletedAfter}
        and ${from ? isInLaterPage(from) : sql`deleted.left_at is null`}
      order by deleted.deleted_at desc, deleted.id desc
      limit ${page.count}`,
    order: sql`listed."deletedAt" desc, listed.id::bigint desc`,
    present,
  })
}

const isInLaterPage = ({ snapshot, after }: NonNullable<PageRead['from']>) => sql`
  (deleted.deleted_at, deleted.id) < (${after.createdAt}::timestamptz, ${after.id}::bigint)
  and ${visibleIn(snapshot, sql`deleted.deleted_xid`)}
  and (deleted.left_xid is null or not ${visibleIn(snapshot, sql`deleted.left_xid`)})`

const present = (row: ItemRow): KeyedRow<TrashItem> => ({
  item: {
    kind: row.kind,
    shortId: row.shortId,
    title: row.title,
    deletedAt: row.deletedAt,
    deletedBy: row.deletedBy === null ? null : { id: row.deletedBy, name: row.deletedByName! },
  },
  key: { createdAt: row.deletedAtText, id: row.id },
})
