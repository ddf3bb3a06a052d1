import { feedAttemptsMax, feedLeaseMs, feedTimeLimitSeconds, feedWaitsMs } from '../domain/history/feed/feed-policy.ts'
import { newId } from '../domain/ids.ts'
import type { ClaimedFeed, FeedDecision } from '../model/change-feed.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { Control, Interruption, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'
import type { FeedStore } from './feed-store.ts'

export interface FeedWorkerDeps {
  feeds: FeedStore
  /** Compares the next result of a feed with its head. */
  advanceFeed(job: ClaimedFeed, signal: AbortSignal): Promise<FeedDecision>
  onFeedAdvanced?(step: { outcome: FeedDecision['state'] }): void
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
}

const lookEveryMs = 15_000
const renewEveryMs = 15_000
/** Comparing takes a process of its own with much memory, one at a time. */
const feedsAtOnce = 2
/** An interrupted comparison has this long to return. */
const returnWithinMs = 10_000

/**
 * Change feeds as a kind of work. An item is a feed, not a result: the one worker that holds a feed compares the first result of its queue.
 * So results become changes in the order in which their runs ended.
 */
export function makeFeedWorker(deps: FeedWorkerDeps): Worker {
  const { feeds, log } = deps

  async function carryOut(job: ClaimedFeed, control: Control): Promise<FeedDecision | undefined> {
    const { id: referenceId, attemptNumber, next } = job
    try {
      return await deps.advanceFeed(job, control.signal)
    } catch (error) {
      const interruption = control.interruption()
      if (interruption) return afterInterruption(job, interruption)
      log.warn({ err: error, referenceId, runId: next.runId, attemptNumber }, 'comparison for change feed failed')
      return afterFailure(job, 'An internal error occurred. The operator finds it in the log by the run’s id.')
    }
  }

  const kind: WorkKind<ClaimedFeed, FeedDecision> = {
    name: 'change feed',
    channel: 'change_feeds',
    lookEveryMs,
    leaseMs: feedLeaseMs,
    inHandMax: feedsAtOnce,
    claimMax: feedsAtOnce,
    async claim({ leaseMs, count }) {
      const items = await feeds.claim({ leaseMs, count })
      return { items, next: items.length < count ? 'when_woken' : 'with_room' }
    },
    carryOut,
    timeLimitSeconds: feedTimeLimitSeconds,
    abandonment: { afterMs: returnWithinMs, outcomeOf: afterInterruption },
    recording: { batchMax: 1, atOnce: feedsAtOnce },
    async record([ended]) {
      const { item: job, outcome, agoMs } = ended!
      return new Set((await feeds.record(job, outcome, { endedAgoMs: agoMs })) ? [job.id] : [])
    },
    onRecorded({ item: job, outcome }, isRecorded) {
      const { id: referenceId, next, attemptNumber } = job
      const line = { referenceId, runId: next.runId, attemptNumber, outcome: outcome.state }
      if (!isRecorded) return log.warn(line, 'change feed lease lost')
      deps.onFeedAdvanced?.({ outcome: outcome.state })
      log.info(line, 'change feed advanced')
    },
    renewal: {
      everyMs: renewEveryMs,
      renew: ({ leaseMs, items }) => feeds.renew({ leaseMs, items }),
      // The claim finds feeds whose lease has expired.
      recover: async () => {},
    },
    isInterruptedAtOnce: true,
  }
  return makeWorker(kind, { ...deps, workerId: newId(deps.random, 'worker') })
}

function afterInterruption(job: ClaimedFeed, interruption: Interruption): FeedDecision | undefined {
  if (interruption.kind === 'lease_lost') return undefined
  if (interruption.kind !== 'time_limit') return { state: 'given_back' }
  return afterFailure(job, `Comparing took longer than ${interruption.seconds / 60} minutes.`)
}

/** The last attempt decides without a comparison. If even that fails, it is repeated, so that no result is left out. */
function afterFailure({ attemptNumber }: ClaimedFeed, reason: string): FeedDecision {
  return { state: 'due', waitMs: feedWaitsMs[Math.min(attemptNumber, feedAttemptsMax - 1) - 1]!, reason }
}
