import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boardResultsOptions, type BoardValues, refreshBoard, type TileResult } from '../../../api/boards.ts'

/** How often the states are read while queries run. */
const pollMs = 1000

type BoardResults = { tiles: TileResult[] }

/** The states of a board's tiles for some values, followed while queries run. */
export function useBoardResults(shortId: string, values: BoardValues) {
  const client = useQueryClient()
  const query = useQuery({
    ...boardResultsOptions(shortId, values),
    refetchInterval: ({ state }) => (isAnyRunning(state.data) ? pollMs : false),
    // Results for other values stay while those for the new values are looked up.
    placeholderData: keepPreviousData,
  })
  const refreshing = useMutation({
    mutationFn: (options: RefreshOptions) => refreshBoard(shortId, { parameters: options.values ?? values, ...given(options) }),
    onSuccess: async (started: BoardResults, options) => {
      const { queryKey } = boardResultsOptions(shortId, options.values ?? values)
      // An answer to an earlier request must not replace the newer states.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (before: BoardResults | undefined) => merged(before, started))
    },
  })
  return {
    query,
    byTile: new Map((query.data?.tiles ?? []).map((tile) => [tile.tileId, tile])),
    isStale: query.isPlaceholderData,
    isRunning: refreshing.isPending || isAnyRunning(query.data),
    error: refreshing.error ?? query.error,
    refresh: refreshing.mutate,
  }
}

export interface RefreshOptions {
  /** Values other than those shown. */
  values?: BoardValues
  tileIds?: string[]
  onlyMissing?: boolean
}

const given = ({ tileIds, onlyMissing }: RefreshOptions) => ({ ...(tileIds && { tileIds }), ...(onlyMissing && { onlyMissing }) })

const isAnyRunning = (results: BoardResults | undefined) => results?.tiles.some(({ status }) => status === 'running') ?? false

/** The answer to a refresh of some tiles may list only these. */
function merged(before: BoardResults | undefined, started: BoardResults): BoardResults {
  const byTile = new Map([...(before?.tiles ?? []), ...started.tiles].map((tile) => [tile.tileId, tile]))
  return { tiles: [...byTile.values()] }
}
