import { sql } from 'kysely'
import type { Folder } from '../../model/folder.ts'
import type { PageRead, PageRows } from '../../model/page.ts'
import type { Db } from '../db.ts'
import { newestFirst, readSnapshotPage } from '../snapshot-page.ts'
import { exactText, visibleIn } from '../snapshot.ts'

type Row = Folder & { createdAtText: string }

/** One page of an organization's folders, newest first, as of one snapshot. It works as the page of boards does. */
export async function readFoldersPage(db: Db, page: PageRead): Promise<PageRows<Folder> | 'snapshot_unknown'> {
  const { from } = page
  return readSnapshotPage(db, {
    from,
    selected: from ? laterPage(page, from) : firstPage(page),
    order: newestFirst,
    present: ({ createdAtText, ...item }) => ({ item, key: { createdAt: createdAtText, id: item.id } }),
  })
}

const fixedFields = sql`live.id, live.created_at as "createdAt", ${exactText(sql`live.created_at`)} as "createdAtText"`

const firstPage = (page: PageRead) => sql<Row>`
  select ${fixedFields}, live.name, live.parent_id as "parentId", live.updated_at as "updatedAt"
  from folders as live
  where live.organization_id = ${page.organizationId} and live.deleted_at is null
  order by live.created_at desc, live.id desc
  limit ${page.count}`

const laterPage = (page: PageRead, { snapshot, after }: NonNullable<PageRead['from']>) => sql<Row>`
  select ${fixedFields}, seen.name, seen.parent_id as "parentId", seen.changed_at as "updatedAt"
  from folders as live
  cross join lateral (
    select number from folder_versions
    where folder_id = live.id and ${visibleIn(snapshot, sql`version_xid`)}
    order by number desc
    limit 1) as newest
  join folder_versions as seen on seen.folder_id = live.id and seen.number = newest.number and not seen.is_deletion
  where live.organization_id = ${page.organizationId}
    and (live.created_at, live.id) < (${after.createdAt}::timestamptz, ${after.id})
  order by live.created_at desc, live.id desc
  limit ${page.count}`
