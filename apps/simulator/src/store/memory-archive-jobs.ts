import type { ArchiveJobStore } from '@querypost/server/background-work'
import { queueFeedResult, wakeFeeds } from './feed-queue.ts'
import { after } from './memory-runs.ts'
import type { MemoryArchiveJob, MemoryWork, WorkRules } from './memory-work.ts'

/** The queue of results to be kept, in memory. */
export function makeMemoryArchiveJobStore({ work, rules }: { work: MemoryWork; rules: WorkRules }): ArchiveJobStore {
  return {
    async claim({ leaseMs, count }) {
      const now = rules.nowOf(work, 'kept results')
      return [...work.archiveJobs.values()]
        .filter(({ state, nextAttemptAt }) => state === 'due' && nextAttemptAt! <= now)
        .sort((a, b) => a.nextAttemptAt!.getTime() - b.nextAttemptAt!.getTime() || (a.id < b.id ? -1 : 1))
        .slice(0, count)
        .map((job) => {
          work.write('archiveJobs', job, {
            attemptCount: job.attemptCount + 1,
            leaseNumber: job.leaseNumber + 1,
            nextAttemptAt: after(work.now, leaseMs),
          })
          return claimed(job)
        })
    },
    async renew({ leaseMs, items }) {
      const held = items.flatMap(({ id, leaseNumber }) => {
        const job = work.archiveJobs.get(id)!
        return job.state === 'due' && job.leaseNumber === leaseNumber ? [job] : []
      })
      for (const job of held) work.write('archiveJobs', job, { nextAttemptAt: after(work.now, leaseMs) })
      return new Set(held.map(({ id }) => id))
    },
    async record({ id, leaseNumber, attemptNumber }, decision, { endedAgoMs }) {
      const job = work.archiveJobs.get(id)!
      const isHeld = job.state === 'due' && job.leaseNumber === leaseNumber
      if (!isHeld && rules.isArchiveJobFenced) return job.state !== 'due' && job.state === decision.state && job.leaseNumber === leaseNumber
      if (decision.state === 'due') work.write('archiveJobs', job, { nextAttemptAt: after(work.now, decision.waitMs - Math.round(endedAgoMs)) })
      else if (decision.state === 'given_back') work.write('archiveJobs', job, { nextAttemptAt: work.now, attemptCount: attemptNumber - 1 })
      else work.write('archiveJobs', job, { state: decision.state, nextAttemptAt: null })
      if (decision.state === 'archived') work.insert('keptResults', { id, objectId: decision.objectId })
      if (work.areChangesPublished && !rules.isFeedQueuedWithRun && decision.state === 'archived') queueFeedResult(work, work.runs.get(id)!)
      if (decision.state !== 'due' && decision.state !== 'given_back') wakeFeeds(work, rules, id)
      return true
    },
  }
}

const claimed = ({ id, organizationId, leaseNumber, attemptCount }: MemoryArchiveJob) => ({
  id,
  leaseNumber,
  attemptNumber: attemptCount,
  organizationId,
})
