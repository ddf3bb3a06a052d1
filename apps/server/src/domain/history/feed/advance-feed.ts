import type { ClaimedFeed, FeedDecision, FeedProblem, FeedResult } from '../../../model/change-feed.ts'
import type { KeptResultInFull } from '../../../model/history.ts'
import { findKeptResult } from '../../../store/history/archived-results-table.ts'
import { readQueuedParameters } from '../../../store/history/feed-jobs.ts'
import type { FindQuery } from '../../../store/queries/queries-table.ts'
import { Refusal } from '../../refusal.ts'
import type { CompareDeps } from '../compare/compare-results.ts'
import { openKeptResult } from '../open-kept-result.ts'
import { compareForFeed, findFeedKey, replacement } from './compare-for-feed.ts'
import { feedAttemptsMax } from './feed-policy.ts'
import { isOwnRun } from './own-runs.ts'

export interface AdvanceFeedDeps extends Omit<CompareDeps, 'findReference'> {
  findQuery: FindQuery
}

/** Decides what becomes of the next result of a feed. Writes nothing. */
export async function advanceFeed(deps: AdvanceFeedDeps, job: ClaimedFeed, signal: AbortSignal): Promise<FeedDecision> {
  const { id: referenceId, organizationId, head, next } = job
  const definitions = await readQueuedParameters(deps.db, job)
  // Publishing was turned off; the lease is lost.
  if (!definitions) return { state: 'given_back' }
  const kept = await findKeptResult(deps.db, { organizationId, referenceId, runId: next.runId })
  if (!kept) return passed('The result was not kept.', 'result_not_kept')
  const query = await deps.findQuery({ organizationId, queryId: kept.queryId })
  if (!query || !isOwnRun(query, definitions, kept.parameterValues)) return passed('The run had other values of the parameters.')
  const to = resultOf(kept)
  if (head?.resultHash === to.resultHash) return { state: 'unchanged', to }
  const isLastAttempt = job.attemptNumber >= feedAttemptsMax
  try {
    return head ? await change(deps, { job, head, kept, signal }) : await start(deps, { job, kept, signal })
  } catch (error) {
    if (signal.aborted || !isLastAttempt) throw error
    // A result that cannot be compared must not hold up the ones after it.
    deps.log.error({ err: error, referenceId, runId: next.runId }, 'results not compared after final attempt')
    return uncompared(deps, { job, head, kept })
  }
}

interface Step {
  job: ClaimedFeed
  kept: KeptResultInFull
  signal: AbortSignal
}

async function start(deps: AdvanceFeedDeps, { job, kept, signal }: Step): Promise<FeedDecision> {
  const key = await findFeedKey(deps, { open: opener(deps, kept), chosenKeyColumns: job.chosenKeyColumns, signal })
  return { state: 'started', to: resultOf(kept), ...key }
}

async function change(deps: AdvanceFeedDeps, { job, head, kept, signal }: Step & { head: FeedResult }): Promise<FeedDecision> {
  const from = await findKeptResult(deps.db, { organizationId: job.organizationId, referenceId: job.id, runId: head.runId })
  if (!from) return uncompared(deps, { job, head, kept })
  const pair = { from: { rowCount: from.rowCount, open: opener(deps, from) }, to: { rowCount: kept.rowCount, open: opener(deps, kept) } }
  const comparison = await compareForFeed(deps, { ...pair, chosenKeyColumns: job.chosenKeyColumns, keyColumns: job.keyColumns, signal })
  return { state: 'changed', to: { ...resultOf(kept), at: kept.at }, comparison }
}

/** Without a comparison every row counts as replaced, which is right, if coarse. A result that cannot be read is left out. */
async function uncompared(
  deps: AdvanceFeedDeps,
  { job, head, kept }: Omit<Step, 'signal'> & { head: FeedResult | null },
): Promise<FeedDecision> {
  const to = resultOf(kept)
  const problem = 'comparison_failed'
  try {
    const nothing = { rowCount: 0, open: opener(deps, kept) }
    const { sampleRows: _, ...replaced } = await replacement({ from: nothing, to: nothing })
    const { keyColumns } = replaced
    if (!head) return { state: 'started', to, keyColumns: job.chosenKeyColumns ?? keyColumns, problem }
    const counts = { added: to.rowCount, removed: head.rowCount, changed: 0 }
    return { state: 'changed', to: { ...to, at: kept.at }, comparison: { ...replaced, ...counts, problem, sampleRows: [] } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return passed(`The result could not be read: ${error.message}`, 'result_not_kept')
  }
}

const opener = (deps: AdvanceFeedDeps, result: KeptResultInFull) => () => openKeptResult(deps, result)

const resultOf = ({ runId, resultHash, rowCount }: KeptResultInFull): FeedResult => ({ runId, resultHash, rowCount })

const passed = (reason: string, problem: FeedProblem | null = null): FeedDecision => ({ state: 'passed', reason, problem })
