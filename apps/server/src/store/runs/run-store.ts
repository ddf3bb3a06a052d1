import type { Clock } from '../../ports/clock.ts'
import { makeClaimFloor } from '../claim-floor.ts'
import type { Db } from '../db.ts'
import { claimRun, type ClaimedRun, type ClaimOptions } from './claim-run.ts'
import { endRun, failAbandonedRuns, type HeldRun, type RunOutcome } from './end-run.ts'
import { readRunStops, renewRunLeases, type RunLease } from './run-leases.ts'
import { type Progress, recordProgress } from './record-progress.ts'

/** What the run worker needs of a store. Two exist: SQL, and the simulator's in memory. */
export interface RunStore {
  claim(options: ClaimOptions): Promise<ClaimedRun | undefined>
  renew(options: { workerId: string; leases: RunLease[]; leaseMs: number }): Promise<ReadonlySet<string>>
  readStops(options: { workerId: string; leases: RunLease[] }): Promise<{ id: string; userId: string; by: string }[]>
  recordProgress(options: { workerId: string; runs: (RunLease & { progress: Progress })[] }): Promise<void>
  /** False when the lease is gone. The same answer when it is said again. */
  end(held: HeldRun, outcome: RunOutcome): Promise<boolean>
  /** Fails the runs whose leases have expired; their ids. */
  failAbandoned(options: { reason: string }): Promise<string[]>
}

export function makeSqlRunStore({ db, clock }: { db: Db; clock: Pick<Clock, 'monotonicMs'> }): RunStore {
  // As long as claims are fast, each looks at all that is pending: a clock that is behind the store's then delays nothing.
  const floor = makeClaimFloor({ clock, fullEveryMs: { atLeast: 0, atMost: 2_000 } })
  return {
    async claim(options) {
      const runFrom = floor.dueFrom({ workerId: options.workerId, afterLane: '' })
      const { run, earliestRunAt, claimedAt } = await claimRun(db, { ...options, runFrom })
      floor.note({ nextAfterLane: '', earliestDueAt: earliestRunAt, claimedAt })
      return run
    },
    renew: (options) => renewRunLeases(db, options),
    readStops: (options) => readRunStops(db, options),
    recordProgress: (options) => recordProgress(db, options),
    end: (held, outcome) => endRun(db, held, outcome),
    failAbandoned: (options) => failAbandonedRuns(db, options),
  }
}
