import type { RunWorkerDeps } from '@querypost/server/background-work'
import { soundWorkRules } from '../store/sound-work-rules.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** A worker whose clock is ahead treats the runs of others as abandoned. */
const leasesByMachineClock: BrokenEngine = {
  name: 'run leases by machine clock',
  noticedBy: ['runs'],
  workRules: { nowOf: (work, kind) => (kind === 'runs' ? work.callerNow : work.now) },
}

/** Accepts the end of a run from a worker that has lost the lease. */
const endNotFenced: BrokenEngine = {
  name: 'run end not fenced',
  noticedBy: ['runs'],
  workRules: { isHeld: (row, lease, kind) => kind === 'runs' || soundWorkRules.isHeld(row, lease, kind) },
}

/** When the end of a run is repeated after a lost response, the store denies it, and the worker removes the result. */
const endDenied: BrokenEngine = {
  name: 'run end denied when said again',
  noticedBy: ['runs'],
  workRules: { isEndSaidAgain: false },
}

/** A worker that can't reach the store does not notice expired leases, and its statements continue. */
const noLeaseWatch: BrokenEngine = {
  name: 'no lease watch',
  noticedBy: ['runs'],
  spoils: { runs: (deps) => ({ ...deps, clock: withoutSleep(deps, 5_000) }) },
}

const withoutSleep = ({ clock }: RunWorkerDeps, neverMs: number): RunWorkerDeps['clock'] => ({
  ...clock,
  sleep: (ms, signal) => clock.sleep(ms === neverMs ? 1e12 : ms, signal),
})

/** Stores the result of a run, and records its end, before the claim is committed. */
const commitNotAwaited: BrokenEngine = {
  name: 'commit of a claim not awaited',
  noticedBy: ['runs'],
  spoils: {
    runs: (deps) => ({
      ...deps,
      runs: {
        ...deps.runs,
        async claim(options) {
          const run = await deps.runs.claim(options)
          run?.committed?.catch(() => {})
          return run && { ...run, committed: undefined }
        },
      },
    }),
  },
}

/** Runs of dead workers are never recovered. */
const neverRecovers: BrokenEngine = {
  name: 'abandoned runs never recovered',
  noticedBy: ['runs', 'agent runs'],
  workRules: { areAbandonedRecovered: false },
}

/** Reports an unavailable store like any other failure. */
const disguised =
  <Arguments extends unknown[], Result>(ask: (...args: Arguments) => Promise<Result>) =>
  (...args: Arguments): Promise<Result> =>
    ask(...args).catch((error: unknown) => {
      throw new Error(String(error))
    })

/** Ignores outages of the store, also at its start, and declares the runs of others abandoned as soon as the store is back. */
const blamesAfterOutage: BrokenEngine = {
  name: 'blames others after an outage',
  noticedBy: ['runs'],
  spoils: {
    runs(deps) {
      const { claim, renew, readStops, recordProgress, end, failAbandoned } = deps.runs
      return {
        ...deps,
        isStoreShared: false,
        clock: { ...deps.clock, sleep: (ms, signal) => deps.clock.sleep(ms === 1_000 ? 100 : ms, signal) },
        runs: {
          claim: disguised(claim),
          renew: disguised(renew),
          readStops: disguised(readStops),
          recordProgress: disguised(recordProgress),
          end: disguised(end),
          failAbandoned: disguised(failAbandoned),
        },
      }
    },
  },
}

/** Reports that all leases are renewed but renews only every other. */
const renewsHalf: BrokenEngine = {
  name: 'every other lease renewed',
  noticedBy: ['runs', 'agent runs'],
  workRules: { renewed: (held) => held.filter((_, index) => index % 2 === 1) },
}

/** Ignores failures of the result store. */
const resultErrorsSwallowed: BrokenEngine = {
  name: 'result errors swallowed',
  noticedBy: ['runs'],
  spoils: {
    runs: (deps) => ({
      ...deps,
      results: {
        ...deps.results,
        write: (options) => deps.results.write(options).catch(() => ({ rowCount: 0, sizeBytes: 0, hash: 'none' })),
      },
    }),
  },
}

/** When the end of a run can't be written, makes another call without handling its rejection. */
const rejectionNotCaught: BrokenEngine = {
  name: 'rejection not caught',
  noticedBy: ['process'],
  spoils: {
    runs: (deps) => ({
      ...deps,
      runs: {
        ...deps.runs,
        async end(held, outcome) {
          try {
            return await deps.runs.end(held, outcome)
          } catch (error) {
            void deps.runs.readStops({ workerId: held.workerId, leases: [held] })
            throw error
          }
        },
      },
    }),
  },
}

export const brokenRuns: readonly BrokenEngine[] = [
  leasesByMachineClock,
  endNotFenced,
  endDenied,
  noLeaseWatch,
  commitNotAwaited,
  neverRecovers,
  blamesAfterOutage,
  renewsHalf,
  resultErrorsSwallowed,
  rejectionNotCaught,
]
