import type { Caller } from '../../model/caller.ts'
import { findPast, type PastDeps, type PastReference, readPastTime } from '../history/past-results.ts'
import { getBoard } from './boards.ts'

/** What each query on a board showed at a time. Deleted queries are missing. */
export async function getPastBoard(
  deps: PastDeps,
  caller: Pick<Caller, 'organizationId'>,
  { shortId, at }: { shortId: string; at: string },
): Promise<(PastReference & { referenceShortId: string })[]> {
  const time = readPastTime(at)
  const { tiles } = await getBoard(deps, caller, shortId)
  const shortIds = new Set(tiles.flatMap(({ referenceShortId }) => referenceShortId ?? []))
  const found = await Promise.all(
    [...shortIds].map(async (referenceShortId) => {
      const reference = await deps.findReference({ organizationId: caller.organizationId, shortId: referenceShortId })
      return reference ? [{ referenceShortId, ...(await findPast(deps.db, caller, reference, time)) }] : []
    }),
  )
  return found.flat()
}
