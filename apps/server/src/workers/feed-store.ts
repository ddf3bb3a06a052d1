import { recordFeedStep, type RecordFeedDeps } from '../domain/history/feed/record-feed-step.ts'
import type { ClaimedFeed, FeedDecision } from '../model/change-feed.ts'
import { claimFeeds, renewFeeds } from '../store/history/feed-jobs.ts'

/** What the worker of change feeds needs from a store. Implemented in SQL, and in memory by the simulator. */
export interface FeedStore {
  /** Feeds whose next result is kept, or never will be. */
  claim(options: { leaseMs: number; count: number }): Promise<ClaimedFeed[]>
  /** Returns the ids of the feeds that this worker still holds. */
  renew(options: { leaseMs: number; items: { id: string; leaseNumber: number }[] }): Promise<ReadonlySet<string>>
  /** Numbers the change and publishes its event, in the same transaction. False if the lease is lost. Idempotent. */
  record(job: ClaimedFeed, decision: FeedDecision, options: { endedAgoMs: number }): Promise<boolean>
}

export const makeSqlFeedStore = (deps: RecordFeedDeps): FeedStore => ({
  claim: (options) => claimFeeds(deps.db, options),
  renew: (options) => renewFeeds(deps.db, options),
  record: (job, decision, options) => recordFeedStep(deps, job, decision, options),
})
