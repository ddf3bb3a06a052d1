import type { QueryClient } from '@tanstack/react-query'
import { type Board, boardOptions, boardResultsOptions, getShortResults, type Tile } from '../../api/boards.ts'
import { isDrawn, loadDrawnChart } from '../../charts/load-drawn-chart.ts'
import { readValues, valuesToSend } from '../../parameters/values.ts'
import { tilesOnTab } from './content/board-content.ts'
import { heightOfRows } from './view/grid-sizes.ts'
import { maxRowsOf, resultOf, shortResultOptions } from './view/short-results.ts'

interface PageWindow {
  width: number
  height: number
}

/**
 * Loads what a board shows before its page is there: the board, which results its tiles have, the rows of the tiles at its top, and the
 * code of charts.
 */
export async function preloadBoard(
  queryClient: QueryClient,
  { shortId, search, window }: { shortId: string; search: string; window: PageWindow },
): Promise<void> {
  const board = await queryClient.fetchQuery(boardOptions(shortId))
  const hasChart = board.references.some(({ visualization }) => isDrawn(visualization))
  await Promise.all([preloadResults(queryClient, board, { search, window }), hasChart && loadDrawnChart()])
}

/** One request for the states of all tiles and the rows of the first. */
async function preloadResults(queryClient: QueryClient, board: Board, { search, window }: { search: string; window: PageWindow }): Promise<void> {
  const { shortId, parameters, references } = board
  const values = valuesToSend(parameters, readValues(parameters, search))
  const first = firstTiles(board, { search, window }).map((tile) => ({ tile, maxRows: maxRowsOf(tile, window.width) }))
  const states = boardResultsOptions(shortId, values)
  if (first.length === 0) return queryClient.prefetchQuery(states)
  const load = async ({ signal }: { signal: AbortSignal }) => {
    const sizes = first.map(({ tile, maxRows }) => ({ tileId: tile.id, maxRows }))
    const { tiles, shortResults } = await getShortResults(shortId, { parameters: values, tiles: sizes }, signal)
    // Kept before the states are known, because a tile asks for its rows as soon as they are.
    for (const { tile, maxRows } of first) {
      const reference = references.find(({ shortId: own }) => own === tile.referenceShortId)
      const runId = tiles.find(({ tileId }) => tileId === tile.id)?.runId ?? null
      if (!reference || runId === null) continue
      const { queryKey } = shortResultOptions({ board: { shortId, values }, tile, reference, runId, maxRows })
      queryClient.setQueryData(queryKey, resultOf(shortResults, { tileId: tile.id, runId }))
    }
    return { tiles }
  }
  await queryClient.prefetchQuery({ ...states, queryFn: load })
}

/** The tiles with results that the window shows at first. What is above them on the page is not counted. */
function firstTiles(board: Board, { search, window }: { search: string; window: PageWindow }): Tile[] {
  const wantedTab = new URLSearchParams(search).get('tab')
  const tabId = (board.tabs.find(({ id }) => id === wantedTab) ?? board.tabs[0])?.id
  return tilesOnTab(board, tabId).filter(({ kind, shows, y }) => kind === 'reference' && shows !== 'table' && heightOfRows(y) < window.height)
}
