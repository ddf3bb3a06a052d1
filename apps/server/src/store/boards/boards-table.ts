import { sql } from 'kysely'
import type { Board, BoardContent } from '../../model/board.ts'
import type { ItemKey, KeyedRow } from '../../model/page.ts'
import type { Db, Tx } from '../db.ts'
import { lockDeletedItem, recordWhoDeleted } from '../items/deleted-items.ts'
import { exactText } from '../snapshot.ts'
import { maskHiddenTiles } from './mask-hidden-tiles.ts'

export interface NewBoard extends BoardContent {
  id: string
  organizationId: string
  shortId: string
  folderId: string | null
  createdBy: string
  now: Date
}

/** The board and its first version. */
export async function insertBoard(tx: Tx, board: NewBoard): Promise<void> {
  await tx
    .insertInto('boards')
    .values({
      id: board.id,
      organization_id: board.organizationId,
      short_id: board.shortId,
      folder_id: board.folderId,
      version: 1,
      title: board.title,
      description: board.description,
      content: contentOf(board),
      created_by: board.createdBy,
      created_at: board.now,
      updated_at: board.now,
    })
    .execute()
  await keepVersion(tx, { boardId: board.id, changedBy: board.createdBy })
}

/** Finds a board that was deleted after `deletedAfter` and is still in the trash. */
export async function lockDeletedBoard(
  tx: Tx,
  key: { organizationId: string; shortId: string; deletedAfter: Date },
): Promise<Board | undefined> {
  const deleted = await lockDeletedItem(tx, { ...key, kind: 'board' })
  const row = deleted && (await boards(tx).where('boards.id', '=', deleted.id).executeTakeFirst())
  return row && present(row)
}

/** Finds a board of the organization that is not deleted. */
export async function findBoard(db: Db | Tx, key: { organizationId: string; shortId: string }): Promise<Board | undefined> {
  const row = await existingBoards(db)
    .where('boards.organization_id', '=', key.organizationId)
    .where('short_id', '=', key.shortId)
    .executeTakeFirst()
  return row && (await maskHiddenTiles(db, [present(row)]))[0]
}

/** Locks the board until the transaction ends, so that versions are numbered in the order in which they are committed. */
export async function lockBoard(tx: Tx, key: { organizationId: string; shortId: string }): Promise<Board | undefined> {
  const row = await existingBoards(tx)
    .where('boards.organization_id', '=', key.organizationId)
    .where('short_id', '=', key.shortId)
    .forUpdate('boards')
    .executeTakeFirst()
  return row && present(row)
}

/** Writes the next version of a locked board, which is then not deleted. `updatedAt` never goes backwards, even if the clock does. */
export async function updateBoard(
  tx: Tx,
  change: {
    boardId: string
    content: BoardContent
    folderId: string | null
    changedBy: string
    restoredNumber?: number
    now: Date
  },
): Promise<void> {
  await tx
    .updateTable('boards')
    .set({
      version: sql`version + 1`,
      deleted_at: null,
      folder_id: change.folderId,
      title: change.content.title,
      description: change.content.description,
      content: contentOf(change.content),
      updated_at: sql<Date>`greatest(updated_at, ${change.now})`,
    })
    .where('id', '=', change.boardId)
    .execute()
  await keepVersion(tx, change)
}

/** Marks a locked board as deleted, which is a version too. */
export async function markBoardDeleted(tx: Tx, change: { boardId: string; changedBy: string; now: Date }): Promise<void> {
  await tx
    .updateTable('boards')
    .set({ version: sql`version + 1`, deleted_at: change.now, updated_at: sql<Date>`greatest(updated_at, ${change.now})` })
    .where('id', '=', change.boardId)
    .execute()
  await keepVersion(tx, change)
  await recordWhoDeleted(tx, { kind: 'board', itemId: change.boardId, deletedBy: change.changedBy })
}

async function keepVersion(tx: Tx, change: { boardId: string; changedBy: string; restoredNumber?: number }): Promise<void> {
  await sql`
    insert into board_versions
      (board_id, number, folder_id, title, description, content, restored_number, is_deletion, changed_by, changed_at)
    select id, version, folder_id, title, description, content, ${change.restoredNumber ?? null}::integer, deleted_at is not null,
      ${change.changedBy}, updated_at
    from boards where id = ${change.boardId}`.execute(tx)
}

/** The boards in a folder, or in none, newest first, as they are now. */
export async function readBoardsInFolder(
  db: Db,
  page: { organizationId: string; folderId: string | null; after?: ItemKey; count: number },
): Promise<{ rows: KeyedRow<Board>[] }> {
  return { rows: await readBoardsPage(db, page) }
}

/** The boards of the organization, or only those in a folder, newest first. */
export async function readBoardsPage(
  db: Db,
  page: { organizationId: string; folderId?: string | null; after?: ItemKey; count: number },
): Promise<KeyedRow<Board>[]> {
  const { after } = page
  const rows = await existingBoards(db)
    .select(exactText(sql`boards.created_at`).as('created_at_text'))
    .where('boards.organization_id', '=', page.organizationId)
    .$if(page.folderId !== undefined, (query) => query.where('folder_id', 'is not distinct from', page.folderId!))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(boards.created_at, boards.id) < (${after?.createdAt}::timestamptz, ${after?.id})`),
    )
    .orderBy('boards.created_at', 'desc')
    .orderBy('boards.id', 'desc')
    .limit(page.count)
    .execute()
  const items = await maskHiddenTiles(db, rows.map(present))
  return rows.map((row, at) => ({ item: items[at]!, key: { createdAt: row.created_at_text, id: row.id } }))
}

/** Whether a board with this short id exists in any organization. */
export async function isBoardShortId(db: Db, shortId: string): Promise<boolean> {
  const row = await db
    .selectFrom('boards')
    .select('id')
    .where('short_id', '=', shortId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** How many boards the organization has. Locks the organization, so that the count holds until the transaction ends. */
export async function countBoards(tx: Tx, organizationId: string): Promise<number> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
  const row = await tx
    .selectFrom('boards')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Those of these short ids that belong to a board of the organization. */
export async function findBoardShortIds(db: Db | Tx, key: { organizationId: string; shortIds: string[] }): Promise<string[]> {
  const rows = await db
    .selectFrom('boards')
    .select('short_id')
    .where('organization_id', '=', key.organizationId)
    .where('short_id', '=', sql<string>`any(${key.shortIds}::text[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map((row) => row.short_id)
}

const contentOf = ({ parameters, tabs, tiles }: BoardContent) => JSON.stringify({ parameters, tabs, tiles })

const existingBoards = (db: Db | Tx) => boards(db).where('deleted_at', 'is', null)

function boards(db: Db | Tx) {
  return db
    .selectFrom('boards')
    .innerJoin('users', 'users.id', 'boards.created_by')
    .select([
      'boards.id',
      'short_id',
      'folder_id',
      'version',
      'title',
      'description',
      'content',
      'boards.created_at',
      'updated_at',
      'boards.created_by',
      'users.name as created_by_name',
    ])
}

type BoardRow = Awaited<ReturnType<ReturnType<typeof existingBoards>['execute']>>[number]

const present = (row: BoardRow): Board => ({
  id: row.id,
  shortId: row.short_id,
  folderId: row.folder_id,
  version: row.version,
  title: row.title,
  description: row.description,
  ...row.content,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  createdBy: { id: row.created_by, name: row.created_by_name },
})
