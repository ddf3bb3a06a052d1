import type { Board, BoardVersion } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import { deletedItemKeptMs } from '../../model/item.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { type BoardVersionInFull, findBoardVersion, listBoardVersions } from '../../store/boards/board-versions.ts'
import { lockBoard, lockDeletedBoard } from '../../store/boards/boards-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { requireFolderEdit } from '../access/require-access.ts'
import { lockFolderAgainstDeletion } from '../../store/folders/folders-table.ts'
import type { RecordDeps } from '../audit/record-action.ts'
import { shortIdPattern } from '../ids.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage, withKeys } from '../pagination/list-page.ts'
import { requireUnmanagedFolder } from '../managed/managed-items.ts'
import { Refusal } from '../refusal.ts'
import { type BoardsDeps, contentOf, getBoard, noSuchBoard, requireVersion, saveVersion } from './boards.ts'

/** Every saved state, newest first. */
export async function listVersions(
  deps: Pick<BoardsDeps, 'db' | 'clock'> & { listCursors: ListCursorCodec },
  caller: Caller,
  { shortId, ...request }: PageRequest & { shortId: string },
): Promise<Page<BoardVersion>> {
  const board = await getBoard(deps, caller, shortId)
  return readListPage(deps, {
    place: { organizationId: caller.organizationId, list: `versions of ${board.id}` },
    request,
    async read({ count, after }) {
      const before = after && { beforeNumber: Number(after.id) }
      const versions = await listBoardVersions(deps.db, { boardId: board.id, count, ...before })
      return { rows: withKeys(versions, ({ changedAt, number }) => ({ createdAt: changedAt.toISOString(), id: String(number) })) }
    },
  })
}

export async function getVersion(
  deps: Pick<BoardsDeps, 'db'>,
  caller: Caller,
  { shortId, number }: { shortId: string; number: number },
): Promise<BoardVersionInFull> {
  return findVersion(deps.db, await getBoard(deps, caller, shortId), number)
}

/**
 * Saves an earlier state as a new version, also of a board that was deleted within the last 30 days. The board stays in its folder, and
 * tiles whose query was deleted since are restored too: they say so. Without a version, the current content does not matter.
 */
export async function restoreVersion(
  deps: BoardsDeps,
  caller: Caller,
  { shortId, number, version }: { shortId: string; number: number; version?: number },
): Promise<Board> {
  if (!shortIdPattern.test(shortId)) throw noSuchBoard(shortId)
  const { organizationId } = caller
  return deps.db.transaction().execute(async (tx) => {
    const board = (await lockBoard(tx, { organizationId, shortId })) ?? (await lockInTrash({ ...deps, tx }, caller, shortId))
    if (!board) throw noSuchBoard(shortId)
    if (version !== undefined) requireVersion(board, version)
    requireFolderEdit(caller, board.folderId)
    const content = contentOf(await findVersion(tx, board, number, { isWhole: true }))
    return saveVersion({ ...deps, tx }, caller, board, { content, folderId: await keptFolder(tx, caller, board), restoredNumber: number })
  })
}

/** Undoes a deletion within 30 days, as a new version. False if there is no such deleted board. */
export async function restoreBoardWithin(deps: RecordDeps, caller: Caller, shortId: string): Promise<boolean> {
  const board = shortIdPattern.test(shortId) ? await lockInTrash(deps, caller, shortId) : undefined
  if (!board) return false
  requireFolderEdit(caller, board.folderId)
  const folderId = await keptFolder(deps.tx, caller, board)
  // The deletion was the last version.
  await saveVersion(deps, caller, board, { content: contentOf(board), folderId, restoredNumber: board.version - 1 })
  return true
}

async function lockInTrash({ tx, clock }: Pick<RecordDeps, 'tx' | 'clock'>, caller: Caller, shortId: string): Promise<Board | undefined> {
  const deletedAfter = new Date(clock.now().getTime() - deletedItemKeptMs)
  const board = await lockDeletedBoard(tx, { organizationId: caller.organizationId, shortId, deletedAfter })
  if (board) await requireUnmanagedFolder(tx, caller, board.folderId)
  return board
}

/** The folder of a deleted board may have been deleted too; then the board is restored at the top. */
async function keptFolder(tx: Tx, { organizationId }: Caller, { folderId }: Board): Promise<string | null> {
  const isThere = folderId !== null && (await lockFolderAgainstDeletion(tx, { organizationId, folderId }))
  return isThere ? folderId : null
}

async function findVersion(
  db: Db | Tx,
  board: Board,
  number: number,
  options: { isWhole?: boolean } = {},
): Promise<BoardVersionInFull> {
  const version = await findBoardVersion(db, { boardId: board.id, number, ...options })
  if (!version) throw new Refusal('board_not_found', `The board has no version ${number}. Its newest is ${board.version}.`)
  return version
}
