import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type BoardValues, getShortResults, type ReferenceSummary, type Tile } from '../../../api/boards.ts'
import type { LoadedResult } from '../../../results/load-result.ts'
import { columnCount } from '../content/layout.ts'

/** The board that a tile is on, and the values that it is shown with. */
export interface ShownBoard {
  shortId: string
  values: BoardValues
}

interface TileWithResult {
  board: ShownBoard
  tile: Pick<Tile, 'id' | 'width'>
  reference: Pick<ReferenceSummary, 'visualization'>
  runId: string
  maxRows: number
}

/**
 * The rows that a tile shows: those that its chart draws of a long result, or all rows of a short one. Null if it needs the whole of a long
 * result. The rows of a run never change, but charts do.
 */
export const shortResultOptions = ({ board: { shortId, values }, tile, reference: { visualization }, runId, maxRows }: TileWithResult) =>
  queryOptions({
    queryKey: ['runs', runId, 'short', { shortId, tileId: tile.id, maxRows, jsxConfig: visualization?.jsxConfig, columns: visualization?.columns }],
    queryFn: async ({ signal }): Promise<LoadedResult | null> => {
      const { shortResults } = await getShortResults(shortId, { parameters: values, tiles: [{ tileId: tile.id, maxRows }] }, signal)
      return resultOf(shortResults, { tileId: tile.id, runId })
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  })

/** Null also if the newest run is another one than the page knows. */
export function resultOf(
  results: Awaited<ReturnType<typeof getShortResults>>['shortResults'],
  { tileId, runId }: { tileId: string; runId: string },
): LoadedResult | null {
  const found = results.find((each) => each.tileId === tileId && each.runId === runId)?.result
  return found ? { ...found, isLoading: false, isCut: false } : null
}

/** More per pixel than a chart of 2,000 points on a page has, because a chart is narrower than its tile. */
const rowsPerPixel = 1.5
const stepRows = 200
const [leastRows, mostRows] = [400, 2000]

/** Below it, tiles are as wide as the window. */
const narrowPixels = 640

/** How many rows a tile has room for, by its share of the window. Few different numbers, so that the service can cache what it sends. */
export function maxRowsOf({ width }: Pick<Tile, 'width'>, windowWidth: number): number {
  const pixels = windowWidth < narrowPixels ? windowWidth : (windowWidth * width) / columnCount
  return Math.min(mostRows, Math.max(leastRows, Math.ceil((pixels * rowsPerPixel) / stepRows) * stepRows))
}
