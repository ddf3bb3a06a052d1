import { useQueries } from '@tanstack/react-query'
import type { ReferenceSummary, Tile } from '../../../api/boards.ts'
import { type ReferenceInFull, referenceOptions } from '../../../api/references.ts'

/** The queries of all tiles: those that came with the board, and those of tiles that were added since. */
export function useTileReferences(tiles: readonly Tile[], known: readonly ReferenceSummary[]): ReferenceSummary[] {
  const missing = [...new Set(tiles.flatMap(({ referenceShortId }) => referenceShortId ?? []))].filter(
    (shortId) => !known.some((reference) => reference.shortId === shortId),
  )
  return useQueries({
    queries: missing.map((shortId) => referenceOptions(shortId)),
    combine: (loaded) => [...known, ...loaded.flatMap(({ data }) => (data ? [summaryOf(data)] : []))],
  })
}

function summaryOf(reference: ReferenceInFull): ReferenceSummary {
  const { shortId, title, description, visualization, parameters, currentQuery } = reference
  return {
    shortId,
    title,
    description,
    parameters,
    queryId: currentQuery.id,
    analyticalDatabaseConfigId: null,
    ...(visualization && { visualization }),
  }
}
