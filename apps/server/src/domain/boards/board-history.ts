import type { Board, BoardVersion } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { type BoardVersionInFull, findBoardVersion, listBoardVersions } from '../../store/boards/board-versions.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage, withKeys } from '../pagination/list-page.ts'
import { Refusal } from '../refusal.ts'
import { type BoardsDeps, changeBoard, contentOf, getBoard } from './boards.ts'

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
  const board = await getBoard(deps, caller, shortId)
  const version = await findBoardVersion(deps.db, { boardId: board.id, number })
  if (!version) throw new Refusal('board_not_found', `The board has no version ${number}. Its newest is ${board.version}.`)
  return version
}

/**
 * Saves an earlier state as a new version. The board stays in its folder, and tiles whose query was deleted since are restored too:
 * they say so.
 */
export async function restoreVersion(
  deps: BoardsDeps,
  caller: Caller,
  { number, ...key }: { shortId: string; number: number; version?: number },
): Promise<Board> {
  const earlier = await getVersion(deps, caller, { shortId: key.shortId, number })
  return changeBoard(deps, caller, key, async (_, { folderId }) => ({
    content: contentOf(earlier),
    folderId,
    restoredNumber: number,
  }))
}
