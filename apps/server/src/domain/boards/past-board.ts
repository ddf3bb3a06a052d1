import type { BoardContent } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import { findBoardVersion, findBoardVersionNumberAt } from '../../store/boards/board-versions.ts'
import { findPast, type PastDeps, type PastReference, readPastTime } from '../history/past-results.ts'
import { getBoard } from './boards.ts'

/** A board as it was at a time. */
export interface PastBoard extends Pick<BoardContent, 'title' | 'tabs' | 'tiles'> {
  /** False if the board was created later; then this is its first version. */
  isFromThen: boolean
  /** What each query on it showed. Deleted queries are missing. */
  items: (PastReference & { referenceShortId: string })[]
}

export async function getPastBoard(
  deps: PastDeps,
  caller: Pick<Caller, 'organizationId'>,
  { shortId, at }: { shortId: string; at: string },
): Promise<PastBoard> {
  const time = readPastTime(at)
  const { id: boardId } = await getBoard(deps, caller, shortId)
  const { number, isFromThen } = await findBoardVersionNumberAt(deps.db, { boardId, at: time })
  const { title, tabs, tiles } = (await findBoardVersion(deps.db, { boardId, number }))!
  const shortIds = new Set(tiles.flatMap(({ referenceShortId }) => referenceShortId ?? []))
  const items = await Promise.all(
    [...shortIds].map(async (referenceShortId) => {
      const reference = await deps.findReference({ organizationId: caller.organizationId, shortId: referenceShortId })
      return reference ? [{ referenceShortId, ...(await findPast(deps.db, caller, reference, time)) }] : []
    }),
  )
  return { title, tabs, tiles, isFromThen, items: items.flat() }
}
