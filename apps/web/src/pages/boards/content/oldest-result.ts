import type { TileResult } from '../../../api/boards.ts'

/** When the oldest shown result was computed. */
export function oldestResult(results: readonly Pick<TileResult, 'runId' | 'completedAt'>[]): string | undefined {
  const times = results.flatMap(({ runId, completedAt }) => (runId !== null && completedAt !== null ? [completedAt] : []))
  return times.toSorted()[0]
}
