import type { MemoryFeed, MemoryFeedResult, MemoryWork, WorkRules } from './memory-work.ts'

/** Queues the result of a run for the feed of its query, which begins with the first one. */
export function queueFeedResult(work: MemoryWork, run: { id: string; organizationId: string; queryId: string }): void {
  const { organizationId, queryId } = run
  if (!work.feeds.has(queryId)) {
    const lease = { attemptCount: 0, leaseNumber: 0, recordedLease: 0, nextAttemptAt: null }
    work.insert('feeds', { id: queryId, organizationId, latestNumber: 0, head: null, nextPosition: 1, ...lease })
  }
  const feed = work.feeds.get(queryId)!
  const position = feed.nextPosition
  work.write('feeds', feed, { nextPosition: position + 1 })
  work.insert('feedResults', { id: `${queryId} ${position}`, feedId: queryId, position, runId: run.id, isTaken: false })
}

/** The oldest result that has not been compared. */
export function firstQueued(work: MemoryWork, { id }: MemoryFeed): MemoryFeedResult | undefined {
  return [...work.feedResults.values()].filter((each) => each.feedId === id && !each.isTaken).sort((a, b) => a.position - b.position)[0]
}

/** Null while the first result has yet to be kept. */
export function nextAttemptOf(work: MemoryWork, feed: MemoryFeed): Date | null {
  const first = firstQueued(work, feed)
  return !first || work.archiveJobs.get(first.runId)?.state === 'due' ? null : work.now
}

/** Makes the feeds due that wait for the result of a run, which is kept now or never will be. */
export function wakeFeeds(work: MemoryWork, rules: WorkRules, runId: string): void {
  for (const { feedId, isTaken, ...result } of work.feedResults.values()) {
    const feed = work.feeds.get(feedId)!
    if (result.runId !== runId || isTaken) continue
    work.write('feeds', feed, { nextAttemptAt: feed.nextAttemptAt ?? (rules.isFeedWaitingForItsFirst ? nextAttemptOf(work, feed) : work.now) })
  }
}
