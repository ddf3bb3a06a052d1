import type { Clock } from '../../ports/clock.ts'
import { makeClaimFloor } from '../claim-floor.ts'
import type { Db } from '../db.ts'
import { claimRun, type ClaimedRun, type ClaimOptions } from './claim-run.ts'
import { endRun, failAbandonedRuns, type HeldRun, type PublishRunEnd, type RunOutcome } from './end-run.ts'
import { readRunStops, renewRunLeases, type RunLease } from './run-leases.ts'
import { type Progress, recordProgress } from './record-progress.ts'

/** The store operations of the run worker. Implemented in SQL, and in memory by the simulator. */
export interface RunStore {
  claim(options: ClaimOptions): Promise<ClaimedRun | undefined>
  renew(options: { workerId: string; leases: RunLease[]; leaseMs: number }): Promise<ReadonlySet<string>>
  readStops(options: { workerId: string; leases: RunLease[] }): Promise<{ id: string; userId: string; by: string }[]>
  recordProgress(options: { workerId: string; runs: (RunLease & { progress: Progress })[] }): Promise<void>
  /** False if the lease is lost. Idempotent. Stores the bytes of a small result in the same transaction, if they are given. */
  end(held: HeldRun, outcome: RunOutcome, unstored?: Buffer): Promise<boolean>
  /** Fails the runs whose leases have expired and returns their ids. */
  failAbandoned(options: { reason: string }): Promise<string[]>
}

export interface SqlRunStoreDeps {
  db: Db
  /** For claims and ends, which a refresh waits for. */
  runDb?: Db
  clock: Pick<Clock, 'monotonicMs'>
  /** The domain decides what the event of a run's end contains. */
  publishRunEnd: PublishRunEnd
}

export function makeSqlRunStore({ db, runDb = db, clock, publishRunEnd }: SqlRunStoreDeps): RunStore {
  // As long as claims are fast, each scans all pending runs, so that a process clock behind the store's delays nothing.
  const floor = makeClaimFloor({ clock, fullEveryMs: { atLeast: 0, atMost: 2_000 } })
  return {
    async claim(options) {
      const runFrom = floor.dueFrom({ workerId: options.workerId, afterLane: '' })
      const { run, earliestRunAt, claimedAt } = await claimRun(runDb, { ...options, runFrom })
      floor.note({ nextAfterLane: '', earliestDueAt: earliestRunAt, claimedAt })
      return run
    },
    renew: (options) => renewRunLeases(db, options),
    readStops: (options) => readRunStops(db, options),
    recordProgress: (options) => recordProgress(db, options),
    end: (held, outcome, unstored) => endRun(runDb, held, outcome, { publish: publishRunEnd, unstored }),
    failAbandoned: (options) => failAbandonedRuns(db, options, publishRunEnd),
  }
}
