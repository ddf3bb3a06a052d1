import { sql } from 'kysely'
import type { Board, BoardContent } from '../../model/board.ts'
import type { KeyedRow, PageRead, PageRows } from '../../model/page.ts'
import type { Db } from '../db.ts'
import { newestFirst, readSnapshotPage } from '../snapshot-page.ts'
import { exactText, visibleIn } from '../snapshot.ts'
import { maskHiddenTiles } from './mask-hidden-tiles.ts'

interface BoardRow extends Omit<Board, 'parameters' | 'tabs' | 'tiles' | 'createdBy'> {
  content: Pick<BoardContent, 'parameters' | 'tabs' | 'tiles'>
  createdBy: string
  createdByName: string
  createdAtText: string
}

/**
 * One page of an organization's boards, newest first, as of one snapshot.
 *
 * A later page shows each board in the newest version that the snapshot saw, unless that is a deletion. Versions of a board are
 * committed in the order of their numbers, so the first visible one, from the newest, is it; newer ones are passed over within the
 * index. Both scans follow an index in the list's order and end at the limit.
 */
export async function readBoardsPage(db: Db, page: PageRead): Promise<PageRows<Board> | 'snapshot_unknown'> {
  const { from } = page
  const read = await readSnapshotPage(db, {
    from,
    selected: sql<BoardRow>`
      select board.*, (select name from users where users.id = board."createdBy") as "createdByName"
      from (${from ? laterPage(page, from) : firstPage(page)}) as board`,
    order: newestFirst,
    present: presentRow,
  })
  if (read === 'snapshot_unknown') return read
  const items = await maskHiddenTiles(db, read.rows.map(({ item }) => item))
  return { ...read, rows: read.rows.map(({ key }, at) => ({ item: items[at]!, key })) }
}

function presentRow({ content, createdBy, createdByName, createdAtText, ...board }: BoardRow): KeyedRow<Board> {
  return {
    item: { ...board, ...content, createdBy: { id: createdBy, name: createdByName } },
    key: { createdAt: createdAtText, id: board.id },
  }
}

const fixedFields = sql`live.id, live.short_id as "shortId", live.created_by as "createdBy", live.created_at as "createdAt",
  ${exactText(sql`live.created_at`)} as "createdAtText"`

const firstPage = (page: PageRead) => sql`
  select ${fixedFields}, live.version, live.folder_id as "folderId", live.title, live.description, live.content,
    live.updated_at as "updatedAt"
  from boards as live
  where live.organization_id = ${page.organizationId} and live.deleted_at is null
  order by live.created_at desc, live.id desc
  limit ${page.count}`

const laterPage = (page: PageRead, { snapshot, after }: NonNullable<PageRead['from']>) => sql`
  select ${fixedFields}, seen.number as version, seen.folder_id as "folderId", seen.title, seen.description, seen.content,
    seen.changed_at as "updatedAt"
  from boards as live
  cross join lateral (
    select number from board_versions
    where board_id = live.id and ${visibleIn(snapshot, sql`version_xid`)}
    order by number desc
    limit 1) as newest
  join board_versions as seen on seen.board_id = live.id and seen.number = newest.number and not seen.is_deletion
  where live.organization_id = ${page.organizationId}
    and (live.created_at, live.id) < (${after.createdAt}::timestamptz, ${after.id})
  order by live.created_at desc, live.id desc
  limit ${page.count}`
