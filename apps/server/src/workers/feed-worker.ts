import { feedAttemptsMax, feedLeaseMs, feedTimeLimitSeconds, feedWaitsMs } from '../domain/history/feed/feed-policy.ts'
import type { ClaimedFeed, FeedDecision } from '../model/change-feed.ts'
import type { Worker } from '../work/worker.ts'
import type { FeedStore } from './feed-store.ts'
import { type JobWorkerDeps, makeJobWorker } from './job-worker.ts'

export interface FeedWorkerDeps extends JobWorkerDeps {
  feeds: FeedStore
  /** Compares the next result of a feed with its head. */
  advanceFeed(job: ClaimedFeed, signal: AbortSignal): Promise<FeedDecision>
  onFeedAdvanced?(step: { outcome: FeedDecision['state'] }): void
}

/** Comparing takes a process of its own with much memory, one at a time. */
const feedsAtOnce = 2

/**
 * Change feeds as a kind of work. An item is a feed, not a result: the one worker that holds a feed compares the first result of its queue.
 * So results become changes in the order in which their runs ended.
 */
export function makeFeedWorker(deps: FeedWorkerDeps): Worker {
  const { log } = deps
  return makeJobWorker<ClaimedFeed, FeedDecision>(deps, {
    name: 'change feed',
    channel: 'change_feeds',
    store: deps.feeds,
    leaseMs: feedLeaseMs,
    timeLimitSeconds: feedTimeLimitSeconds,
    atOnce: feedsAtOnce,
    attempt: deps.advanceFeed,
    onError: ({ id: referenceId, attemptNumber, next: { runId } }, error) =>
      log.warn({ err: error, referenceId, runId, attemptNumber }, 'comparison for change feed failed'),
    afterFailure,
    taking: 'Comparing',
    onRecorded({ id: referenceId, attemptNumber, next: { runId } }, { state: outcome }, isRecorded) {
      const line = { referenceId, runId, attemptNumber, outcome }
      if (!isRecorded) return log.warn(line, 'change feed lease lost')
      deps.onFeedAdvanced?.({ outcome })
      log.info(line, 'change feed advanced')
    },
  })
}

/** The last attempt decides without a comparison. If even that fails, it is repeated, so that no result is left out. */
function afterFailure({ attemptNumber }: ClaimedFeed, reason: string): FeedDecision {
  return { state: 'due', waitMs: feedWaitsMs[Math.min(attemptNumber, feedAttemptsMax - 1) - 1]!, reason }
}
