import type { TileResult } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import type { ParameterValues } from '../../model/parameter.ts'
import type { ShortResults } from '../results/short-results.ts'
import { type BoardResultsDeps, planTiles, resultsOf } from './board-results.ts'
import { getBoard } from './boards.ts'

export interface ShortResultOfTile {
  tileId: string
  runId: string
  /** As JSON. */
  result: Buffer
}

/**
 * The states of all tiles, and the short results of some, so that a page needs one request to show them. Tiles that need their whole
 * result have no short one.
 */
export async function readShortResults(
  deps: BoardResultsDeps & { shortResults: ShortResults },
  caller: Caller,
  input: { shortId: string; parameters?: ParameterValues; tiles: { tileId: string; maxRows: number }[] },
): Promise<{ states: TileResult[]; shortResults: ShortResultOfTile[] }> {
  const board = await getBoard(deps, caller, input.shortId)
  const planned = await planTiles(deps, caller, board, input.parameters ?? {})
  const states = await resultsOf(deps, caller, planned)
  const maxRowsOf = new Map(input.tiles.map(({ tileId, maxRows }) => [tileId, maxRows]))
  const shortResults: ShortResultOfTile[] = []
  for (const [at, { tileId, runId }] of states.entries()) {
    const maxRows = maxRowsOf.get(tileId)
    if (runId === null || maxRows === undefined) continue
    const result = await deps.shortResults.read(runId, { visualization: planned[at]!.visualization, maxRows })
    if (result) shortResults.push({ tileId, runId, result })
  }
  return { states, shortResults }
}
