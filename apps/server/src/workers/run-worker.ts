import type { Engines } from '../domain/databases/engines.ts'
import { newId } from '../domain/ids.ts'
import {
  abandonedReason,
  errorPosition,
  failureOfInterruption,
  failureReason,
  internalReason,
  stopperOf,
} from '../domain/runs/run-outcome.ts'
import { EngineError } from '../engines/engine.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import type { ResultStore } from '../results/result-store.ts'
import type { ResultLimits } from '../results/result-too-large.ts'
import type { ClaimedRun } from '../store/runs/claim-run.ts'
import type { RunOutcome } from '../store/runs/end-run.ts'
import type { Progress } from '../store/runs/record-progress.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { Control, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'
import type { RunStore } from '../store/runs/run-store.ts'

/**
 * Query runs as a kind of work: the statement runs at its engine, and its rows go to where results are kept.
 *
 * - A run whose worker died fails, and is not repeated by itself: nobody can know what its statement cost the database.
 * - Each database has a few *places* at a worker, so that one with slow queries, or that hangs, leaves room for the others. The next
 *   place goes to the organization that has the fewest runs in hand. When all are taken there are a few more for *newcomers*,
 *   organizations with none in hand: whatever one does with its databases, the others get on.
 */
export interface RunWorkerDeps {
  runs: RunStore
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
  engines: Pick<Engines, 'engineOf'>
  results: ResultStore
  limits: ResultLimits
  runTimeoutSeconds: number
  /** See `WorkerDeps`. */
  isStoreShared?: boolean | undefined
  /** Told of every run that ended here; for metrics. */
  onRunEnded?(ended: { status: RunOutcome['status'] | 'stopped'; durationMs: number; rowCount: number }): void
}

const leaseMs = 30_000
const renewEveryMs = 10_000
const lookEveryMs = 2_000
/** Longer than a server takes to confirm that a statement is stopped. */
const stopWithinMs = 20_000
const runsAtOnce = 8
const runsAtOnceWithNewcomers = 12
const runsAtOncePerDatabase = 2

/** What became of a run here, with what is logged of it. */
interface Outcome {
  ending: RunOutcome
  durationMs: number
}

export function makeRunWorker(deps: RunWorkerDeps): Worker {
  const { runs, clock, log } = deps
  const workerId = newId(deps.random, 'worker')
  /** How far each run is that the store has not been told of. */
  const untold = new Map<ClaimedRun, Progress>()

  async function execute(run: ClaimedRun, { signal }: Control): Promise<RunOutcome> {
    const onProgress = (progress: Progress) => untold.set(run, { ...untold.get(run), ...progress })
    if (run.isDatabaseDeleted) throw new EngineError('refused', 'The database of this query was deleted before the run began.')
    const engine = deps.engines.engineOf(run.database)
    const result = await engine.run({ sql: run.renderedSql, signal, onProgress: (percent) => onProgress({ percent }) })
    const written = await deps.results.write({
      runId: run.id,
      result,
      limits: deps.limits,
      // From the first row on, the rows tell how far it is.
      onRows: (rowCountSoFar) => onProgress({ rowCountSoFar, percent: null }),
    })
    return { status: 'completed', ...written, statistics: result.statistics() }
  }

  async function carryOut(run: ClaimedRun, control: Control): Promise<Outcome> {
    const startedMs = clock.monotonicMs()
    let ending: RunOutcome
    try {
      ending = await execute(run, control)
    } catch (error) {
      const interruption = control.interruption()
      const reason = failureReason(error, interruption)
      if (!reason) log.error({ err: error, runId: run.id }, 'query run failed: internal error')
      ending = {
        status: 'failed',
        reason: reason ?? internalReason(run.id),
        errorPosition: errorPosition(error, interruption),
        ...stopperOf(interruption),
      }
    }
    untold.delete(run)
    return { ending, durationMs: Math.round(clock.monotonicMs() - startedMs) }
  }

  /** At most one statement every `lookEveryMs`, whatever the runs do, and none while they do nothing new. */
  async function tellProgress() {
    if (untold.size === 0) return
    const told = [...untold].map(([{ id, leaseNumber }, progress]) => ({ id, leaseNumber, progress }))
    untold.clear()
    await runs.recordProgress({ workerId, runs: told })
  }

  const kind: WorkKind<ClaimedRun, Outcome> = {
    name: 'query run',
    channel: 'runs',
    lookEveryMs,
    leaseMs,
    inHandMax: runsAtOnceWithNewcomers,
    claimMax: 1,
    async claim({ atWork }) {
      const inHand = atWork()
      const run = await runs.claim({
        workerId,
        leaseMs,
        fullDatabaseConfigIds: fullDatabases(inHand),
        runCountsInHand: countBy(inHand, ({ organizationId }) => organizationId),
        isForNewcomersOnly: inHand.length >= runsAtOnce,
      })
      return run ? { items: [run], next: 'again' } : { items: [], next: 'with_room' }
    },
    carryOut,
    timeLimitSeconds: deps.runTimeoutSeconds,
    abandonment: {
      afterMs: stopWithinMs,
      outcomeOf: (_, interruption) => ({
        ending: { status: 'failed', reason: failureOfInterruption(interruption), ...stopperOf(interruption) },
        durationMs: 0,
      }),
    },
    recording: { batchMax: 1, atOnce: 4 },
    async record([ended]) {
      const { item, outcome } = ended!
      const isEnded = await runs.end({ ...item, workerId }, outcome.ending)
      return new Set(isEnded ? [item.id] : [])
    },
    async onRecorded({ item: run, outcome: { ending, durationMs } }, isRecorded) {
      // Whoever took the run away has failed it, so nobody will ask for its result.
      if (!isRecorded) return deps.results.remove(run.id)
      const status = 'stoppedBy' in ending ? 'stopped' : ending.status
      deps.onRunEnded?.({ status, durationMs, rowCount: 'rowCount' in ending ? ending.rowCount : 0 })
      log.info({ runId: run.id, queryId: run.queryId, organizationId: run.organizationId, durationMs, ...ending }, 'run ended')
    },
    renewal: {
      everyMs: renewEveryMs,
      renew: ({ items, ...lease }) => runs.renew({ ...lease, leases: items }),
      async recover() {
        for (const runId of await runs.failAbandoned({ reason: abandonedReason })) log.warn({ runId }, 'query run abandoned by its worker')
      },
    },
    stops: { channel: 'run_stops', everyMs: lookEveryMs, read: ({ items }) => runs.readStops({ workerId, leases: items }) },
    duties: [{ what: 'record progress of query runs', everyMs: lookEveryMs, act: tellProgress }],
  }
  return makeWorker(kind, { ...deps, workerId })
}

function fullDatabases(runs: ClaimedRun[]): string[] {
  const counts = countBy(runs, ({ database }) => database.id)
  return [...counts].filter(([, count]) => count >= runsAtOncePerDatabase).map(([configId]) => configId)
}

function countBy(runs: ClaimedRun[], keyOf: (run: ClaimedRun) => string): Map<string, number> {
  return new Map([...Map.groupBy(runs, keyOf)].map(([key, group]) => [key, group.length]))
}
