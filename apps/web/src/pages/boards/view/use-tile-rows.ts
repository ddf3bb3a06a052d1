import { skipToken, useQuery } from '@tanstack/react-query'
import type { ReferenceSummary, Tile } from '../../../api/boards.ts'
import { resultRowsOptions } from '../../../results/result-rows.ts'
import { maxRowsOf, shortResultOptions, type ShownBoard } from './short-results.ts'

/** The rows of a tile's result: those it shows, or all of them for a table, for a chart that needs them, and where a board is edited. */
export function useTileRows(options: {
  board: ShownBoard | undefined
  tile: Tile
  reference: ReferenceSummary
  runId: string
  isTable: boolean
  isNear: boolean
}) {
  const { board, tile, reference, runId, isTable, isNear } = options
  const maxRows = maxRowsOf(tile, window.innerWidth)
  const canBeShort = board !== undefined && !isTable
  const short = useQuery({
    ...shortResultOptions({ board: board ?? noBoard, tile, reference, runId, maxRows }),
    ...(!(isNear && canBeShort) && { queryFn: skipToken }),
  })
  const needsAll = !canBeShort || short.data === null || short.isError
  const all = useQuery({ ...resultRowsOptions(runId), enabled: isNear && needsAll })
  return needsAll ? all : short
}

const noBoard: ShownBoard = { shortId: '', values: {} }
