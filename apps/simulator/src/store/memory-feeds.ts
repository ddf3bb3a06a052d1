import type { ClaimedFeed, FeedStore } from '@querypost/server/background-work'
import { firstQueued, nextAttemptOf } from './feed-queue.ts'
import { after } from './memory-runs.ts'
import type { MemoryFeed, MemoryFeedResult, MemoryWork, WorkRules } from './memory-work.ts'

/** The change feeds in memory. */
export function makeMemoryFeedStore({ work, rules }: { work: MemoryWork; rules: WorkRules }): FeedStore {
  return {
    async claim({ leaseMs, count }) {
      const now = rules.nowOf(work, 'change feeds')
      return [...work.feeds.values()]
        .filter(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt <= now)
        .sort((a, b) => a.nextAttemptAt!.getTime() - b.nextAttemptAt!.getTime() || (a.id < b.id ? -1 : 1))
        .slice(0, count)
        .flatMap((feed) => {
          const next = firstQueued(work, feed)
          if (!next) return []
          const { attemptCount, leaseNumber } = feed
          work.write('feeds', feed, { attemptCount: attemptCount + 1, leaseNumber: leaseNumber + 1, nextAttemptAt: after(work.now, leaseMs) })
          if (rules.isFeedResultTakenAtClaim) work.write('feedResults', next, { isTaken: true })
          return [claimed(feed, next)]
        })
    },
    async renew({ leaseMs, items }) {
      const held = items.flatMap(({ id, leaseNumber }) => {
        const feed = work.feeds.get(id)!
        return feed.leaseNumber === leaseNumber && feed.recordedLease < leaseNumber ? [feed] : []
      })
      for (const feed of held) work.write('feeds', feed, { nextAttemptAt: after(work.now, leaseMs) })
      return new Set(held.map(({ id }) => id))
    },
    async record(job, decision, { endedAgoMs }) {
      const feed = work.feeds.get(job.id)!
      if (rules.isFeedFenced) {
        if (feed.leaseNumber !== job.leaseNumber) return false
        if (feed.recordedLease === job.leaseNumber) return true
      }
      const recordedLease = job.leaseNumber
      if (decision.state === 'due') {
        work.write('feeds', feed, { nextAttemptAt: after(work.now, decision.waitMs - Math.round(endedAgoMs)), recordedLease })
        return true
      }
      if (decision.state === 'given_back') {
        work.write('feeds', feed, { nextAttemptAt: nextAttemptOf(work, feed), attemptCount: job.attemptNumber - 1, recordedLease })
        return true
      }
      work.write('feedResults', work.feedResults.get(`${job.id} ${job.next.position}`)!, { isTaken: true })
      if (decision.state === 'changed') {
        const number = feed.latestNumber + 1
        const { runId, resultHash } = decision.to
        const id = `${feed.id} ${work.feedChanges.size}`
        work.insert('feedChanges', { id, feedId: feed.id, number, fromHash: job.head!.resultHash, toHash: resultHash, runId })
        if (rules.isFeedEventInTheSameTransaction) work.insert('feedEvents', { id, feedId: feed.id, number })
        work.write('feeds', feed, { latestNumber: number })
      }
      if (decision.state !== 'passed') work.write('feeds', feed, { head: decision.to })
      work.write('feeds', feed, { nextAttemptAt: nextAttemptOf(work, feed), attemptCount: 0, recordedLease })
      return true
    },
  }
}

const claimed = (feed: MemoryFeed, { position, runId }: MemoryFeedResult): ClaimedFeed => ({
  id: feed.id,
  leaseNumber: feed.leaseNumber,
  attemptNumber: feed.attemptCount,
  organizationId: feed.organizationId,
  chosenKeyColumns: null,
  keyColumns: null,
  head: feed.head,
  next: { position, runId },
})
