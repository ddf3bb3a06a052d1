import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { openResult } from '../api/runs.ts'
import { loadResult } from './load-result.ts'

/**
 * The rows of a completed run, for views that share results. The rows of a run never change, so they are loaded once. While those of
 * another run load, the earlier ones stay.
 */
export const resultRowsOptions = (runId: string) =>
  queryOptions({
    queryKey: ['runs', runId, 'rows'],
    queryFn: async ({ signal }) => loadResult((await openResult(runId, signal)).body!),
    staleTime: Number.POSITIVE_INFINITY,
    // Loaded rows can take a lot of memory, so they aren't kept for long after the last view is gone.
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    // Comparing all rows with the earlier ones would take longer than drawing them.
    structuralSharing: false,
  })
