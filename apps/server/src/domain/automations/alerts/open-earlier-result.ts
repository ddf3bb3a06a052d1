import type { StoredResult } from '../../../results/result-store.ts'
import { findKeptResult } from '../../../store/history/archived-results-table.ts'
import type { ResultStore } from '../../../results/result-store.ts'
import { openKeptResult, type OpenKeptResultDeps } from '../../history/open-kept-result.ts'

/** The result of an earlier run, from the cache or from the kept results. Null if neither has it. */
export async function openEarlierResult(
  deps: OpenKeptResultDeps & { results: ResultStore },
  key: { organizationId: string; referenceId: string; runId: string },
): Promise<(() => Promise<StoredResult>) | null> {
  const cached = await deps.results.open(key.runId)
  if (cached) return () => Promise.resolve(cached)
  const kept = await findKeptResult(deps.db, key)
  return kept ? () => openKeptResult(deps, kept) : null
}
