import type { Board } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { ItemMarks } from '../../model/item.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { readBoardsInFolder } from '../../store/boards/boards-table.ts'
import type { Db } from '../../store/db.ts'
import { readMarks } from '../../store/items/read-marks.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage } from '../pagination/list-page.ts'
import type { PageDeps } from '../pagination/page.ts'
import { listBoards } from './boards.ts'

/** A board as the pages list it. */
export type FoundBoard = Board & Pick<ItemMarks, 'tags'>

interface FindDeps extends PageDeps {
  db: Db
  listCursors: ListCursorCodec
}

/**
 * The pages' list. Without a folder it shows the moment of its first page, as the published list does; the boards of a folder are shown
 * as they are now. `folder` is an id, or `none` for boards in no folder.
 */
export async function findBoards(
  deps: FindDeps,
  caller: Caller,
  { folder, ...request }: PageRequest & { folder?: string },
): Promise<Page<FoundBoard>> {
  const { organizationId, userId } = caller
  const page =
    folder === undefined
      ? await listBoards(deps, caller, request)
      : await readListPage(deps, {
          place: { organizationId, list: 'boards in a folder', filter: folder },
          request,
          read: (part) => readBoardsInFolder(deps.db, { organizationId, folderId: folder === 'none' ? null : folder, ...part }),
        })
  const marks = await readMarks(deps.db, { organizationId, userId, kind: 'board', itemIds: page.items.map(({ id }) => id) })
  const withTags = (board: Board): FoundBoard => ({ ...board, tags: marks.get(board.id)!.tags })
  return { ...page, items: page.items.map(withTags) }
}
