import { useQuery } from '@tanstack/react-query'
import type { ReferenceSummary, Tile, TileResult } from '../../../api/boards.ts'
import { listRuns, type Run } from '../../../api/runs.ts'

/** What a tile shows while the board is edited: its saved state, or the newest result of its query if it is new. */
export function useTilePreview(tile: Tile, reference: ReferenceSummary | undefined, saved: TileResult | undefined): TileResult | undefined {
  const runs = useQuery({
    queryKey: ['runs', 'of-query', reference?.queryId, 'newest'],
    queryFn: ({ signal }) => listRuns(reference!.queryId, signal),
    enabled: reference !== undefined && saved === undefined,
  })
  return saved ?? (runs.data && newestResult(tile, runs.data))
}

function newestResult(tile: Tile, runs: Run[]): TileResult {
  const run = runs.find(({ status }) => status === 'completed')
  return {
    tileId: tile.id,
    status: run ? 'ready' : 'missing',
    runId: run?.id ?? null,
    completedAt: run?.completedAt ?? null,
    failureReason: null,
    runningRunId: null,
    runningSince: null,
    progress: null,
    rowCountSoFar: null,
    isStopped: false,
  }
}
