import type { Clock } from '../../ports/clock.ts'
import type { ResultStore, StoredResult } from '../../results/result-store.ts'
import type { FindQuery } from '../../store/queries/queries-table.ts'
import type { QueryWithRuns } from '../../model/query.ts'
import type { Caller } from '../../model/caller.ts'
import { getStoredQuery } from '../queries/queries.ts'
import { Refusal } from '../refusal.ts'
import type { Run } from '../../model/run.ts'

export interface ResultsDeps {
  clock: Clock
  results: ResultStore
  resultLifetimeMs: number
  findQuery: FindQuery
}

/** A stored result that can be sent or converted. */
export interface SentResult {
  run: Pick<Run, 'id' | 'completedAt' | 'renderedSql'>
  /** A hash of the content: equal results have equal hashes. */
  hash: string
  open(): Promise<StoredResult>
}

/** The cached result of a query: that of its latest successful run, until it expires. */
export interface CachedResult extends SentResult {
  run: Run
  expiresAt: Date
}

export async function getCachedResult(deps: ResultsDeps, caller: Caller, queryId: string): Promise<CachedResult> {
  return cachedResultOfQuery(deps, await getStoredQuery(deps, caller, queryId))
}

export function cachedResultOfQuery(deps: Omit<ResultsDeps, 'findQuery'>, query: QueryWithRuns): CachedResult {
  const run = query.latestCompletedRun
  if (!run) throw new Refusal('result_not_available', noResult(query.latestRun))
  return cachedResultOf(deps, run)
}

/** The result of one run, which need not be its query's latest. */
export function cachedResultOf(deps: Omit<ResultsDeps, 'findQuery'>, run: Run): CachedResult {
  if (run.status !== 'completed') throw new Refusal('result_not_available', noResult(run))
  const expiresAt = new Date(run.completedAt!.getTime() + deps.resultLifetimeMs)
  if (deps.clock.now() >= expiresAt) throw expired(expiresAt)
  return {
    run,
    hash: run.resultHash!,
    expiresAt,
    open: async () => (await deps.results.open(run.id)) ?? gone(),
  }
}

function noResult(latestRun: Run | null): string {
  if (!latestRun) return 'The query has not been run yet. Refresh it first.'
  if (latestRun.status === 'failed') return `The query has no successful run yet; the last one failed: ${latestRun.failureReason}`
  return `The query has no successful run yet; one is ${latestRun.status}. Try again when it has completed.`
}

const expired = (at: Date) =>
  new Refusal('result_expired', `The cached result expired at ${at.toISOString()}. Refresh the query to get a new one.`)

/** It has not expired, but its bytes are missing: someone removed the file, or it was just swept. */
function gone(): never {
  throw new Refusal('result_expired', 'The cached result is no longer stored. Refresh the query to get a new one.')
}
