import type { BrokenEngine } from './broken-engine.ts'

export const brokenChangeFeeds: readonly BrokenEngine[] = [
  {
    // Results are kept in another order than the one in which their runs ended.
    name: 'change feed in the order of keeping',
    noticedBy: ['change feeds'],
    workRules: { isFeedQueuedWithRun: false },
  },
  {
    // A later result that is kept earlier makes the feed pass over the first one.
    name: 'change feed due by any kept result',
    noticedBy: ['change feeds'],
    workRules: { isFeedWaitingForItsFirst: false },
  },
  {
    // A worker that was presumed dead records the same change again.
    name: 'change feed not fenced',
    noticedBy: ['change feeds'],
    workRules: { isFeedFenced: false },
  },
  {
    // A crash while it is compared, and the result is lost.
    name: 'change feed result taken at the claim',
    noticedBy: ['change feeds'],
    workRules: { isFeedResultTakenAtClaim: true },
  },
  {
    name: 'change feed event outside the transaction',
    noticedBy: ['change feeds'],
    workRules: { isFeedEventInTheSameTransaction: false },
  },
  {
    name: 'change feed due by machine clock',
    noticedBy: ['change feeds'],
    workRules: { nowOf: (work, kind) => (kind === 'change feeds' ? work.callerNow : work.now) },
  },
  {
    // Its number is never given.
    name: 'change feed passes over a failed comparison',
    noticedBy: ['change feeds'],
    spoils: {
      feeds: (deps) => ({
        ...deps,
        feeds: {
          ...deps.feeds,
          record: (job, decision, options) =>
            deps.feeds.record(job, decision.state === 'due' ? { state: 'passed', reason: decision.reason, problem: null } : decision, options),
        },
      }),
    },
  },
]
