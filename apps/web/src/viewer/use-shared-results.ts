import { useCallback, useEffect, useState } from 'react'
import type { SharedTileResult } from '../api/generated/schemas.ts'
import type { ViewerClient, ViewerError, ViewerValues } from './viewer-client.ts'

const pollMs = 1500

export interface SharedResultsState {
  byTile: ReadonlyMap<string, SharedTileResult>
  isRunning: boolean
  error: ViewerError | undefined
  refresh(): void
}

/**
 * Which results are stored for the current values. While a query runs, the states are read again and again. Where the viewer may run
 * queries, missing results are made at once. They are read again with each `attempt`.
 */
export function useSharedResults(client: ViewerClient, values: ViewerValues, canRun: boolean, attempt: number): SharedResultsState {
  const [tiles, setTiles] = useState<SharedTileResult[]>([])
  const [error, setError] = useState<ViewerError>()
  const [round, setRound] = useState(0)
  const isRunning = tiles.some(({ status }) => status === 'running')

  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      const found = await client.readResults(values)
      if (!canRun || !found.tiles.some(({ status }) => status === 'missing')) return found
      // Shown even if the others cannot be made.
      if (isCurrent) setTiles(found.tiles)
      return client.refresh(values, { onlyMissing: true })
    }
    read().then(
      (found) => {
        if (!isCurrent) return
        setTiles(found.tiles)
        setError(undefined)
      },
      (failure: ViewerError) => isCurrent && setError(failure),
    )
    return () => {
      isCurrent = false
    }
  }, [client, values, canRun, round, attempt])

  useEffect(() => {
    if (!isRunning) return
    const timer = setTimeout(() => setRound(round + 1), pollMs)
    return () => clearTimeout(timer)
  }, [isRunning, round])

  const refresh = useCallback(() => {
    client.refresh(values).then(
      (started) => {
        setTiles(started.tiles)
        setError(undefined)
      },
      (failure: ViewerError) => setError(failure),
    )
  }, [client, values])

  return { byTile: new Map(tiles.map((tile) => [tile.tileId, tile])), isRunning, error, refresh }
}
