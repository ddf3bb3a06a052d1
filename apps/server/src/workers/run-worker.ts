import type { Engines } from '../domain/databases/engines.ts'
import { readsSavedQueries } from '../domain/databases/reads-saved-queries.ts'
import { newId } from '../domain/ids.ts'
import type { RunOnInputs } from '../domain/saved-queries/run-on-inputs.ts'
import {
  abandonedReason,
  errorPosition,
  failureOfInterruption,
  failureReason,
  internalReason,
  stopperOf,
} from '../domain/runs/run-outcome.ts'
import { sessionOfRun } from '../domain/row-rules/session-of.ts'
import { EngineError, type RunRequest } from '../engines/engine.ts'
import type { EngineResult } from '../model/result.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { currentSpan, inSpan, sqlAttribute } from '../ports/telemetry/spans.ts'
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
 * Query runs as a kind of work: the engine runs the statement, and the rows go to the result store.
 *
 * - A run whose worker died fails and is not retried: its statement may have been expensive for the database.
 * - Each database gets only a few slots at a worker, so that slow or hanging databases leave room for the others. The next slot goes
 *   to the organization with the fewest runs in hand. When all slots are taken, a few extra ones are open to *newcomers*,
 *   organizations with no run in hand, so that one organization can never block the others.
 */
export interface RunWorkerDeps {
  runs: RunStore
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
  engines: Pick<Engines, 'engineOf'>
  /** Runs SQL that reads saved queries, on their results. Left out where there is none. */
  runOnInputs?(run: RunOnInputs, request: RunRequest): Promise<EngineResult>
  results: ResultStore
  limits: ResultLimits
  runTimeoutSeconds: number
  /** See `WorkerDeps`. */
  isStoreShared?: boolean | undefined
  /** Called for every run that ended at this worker, for metrics. */
  onRunEnded?(ended: { status: RunOutcome['status'] | 'stopped'; durationMs: number; rowCount: number }): void
}

const leaseMs = 30_000
const renewEveryMs = 10_000
const lookEveryMs = 2_000
/** Longer than a server takes to confirm that a statement was stopped. */
const stopWithinMs = 20_000
const runsAtOnce = 8
const runsAtOnceWithNewcomers = 12
const runsAtOncePerDatabase = 2

/** How a run ended, with what is logged about it. */
interface Outcome {
  ending: RunOutcome
  durationMs: number
  /** The bytes of a small result, which are stored with the end of the run. */
  unstored?: Buffer | undefined
}

export function makeRunWorker(deps: RunWorkerDeps): Worker {
  const { runs, clock, log } = deps
  const workerId = newId(deps.random, 'worker')
  /** Progress that is not in the store yet. */
  const unreported = new Map<ClaimedRun, Progress>()

  async function execute(run: ClaimedRun, { signal }: Control): Promise<Pick<Outcome, 'ending' | 'unstored'>> {
    const onProgress = (progress: Progress) => unreported.set(run, { ...unreported.get(run), ...progress })
    if (run.isDatabaseDeleted) throw new EngineError('refused', 'The database of this query was deleted before the run began.')
    const { database } = run
    const request: RunRequest = { sql: run.renderedSql, signal, ...sessionOfRun(run), onProgress: (percent) => onProgress({ percent }) }
    const attributes = { 'db.system.name': database.engine, ...sqlAttribute(run.renderedSql) }
    // Rows are read while they are written, so the span of the statement covers both.
    return inSpan({ name: 'statement', kind: 'client', attributes }, async (span) => {
      const onInputs = readsSavedQueries(database) ? deps.runOnInputs?.({ ...run, database }, request) : undefined
      const result = await (onInputs ?? deps.engines.engineOf(database).run(request))
      await run.committed
      const { unstored, ...written } = await deps.results.write({
        runId: run.id,
        result,
        limits: deps.limits,
        storesAtEnd: true,
        // Once rows arrive, their count replaces the percentage.
        onRows: (rowCountSoFar) => onProgress({ rowCountSoFar, percent: null }),
      })
      span.set({ 'db.response.returned_rows': written.rowCount })
      return { ending: { status: 'completed', ...written, statistics: result.statistics() }, unstored }
    })
  }

  async function carryOut(run: ClaimedRun, control: Control): Promise<Outcome> {
    const startedMs = clock.monotonicMs()
    let ending: RunOutcome
    let unstored: Buffer | undefined
    try {
      ;({ ending, unstored } = await execute(run, control))
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
    unreported.delete(run)
    traceRun(run, ending)
    return { ending, unstored, durationMs: Math.round(clock.monotonicMs() - startedMs) }
  }

  /** At most one statement per `lookEveryMs` for all runs together, and none while there is no progress. */
  async function reportProgress() {
    if (unreported.size === 0) return
    const reported = [...unreported].map(([{ id, leaseNumber }, progress]) => ({ id, leaseNumber, progress }))
    unreported.clear()
    await runs.recordProgress({ workerId, runs: reported })
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
        runCountsByOrganization: countBy(inHand, ({ organizationId }) => organizationId),
        onlyNewOrganizations: inHand.length >= runsAtOnce,
      })
      // Only the runs in hand can keep others from being claimed.
      if (!run) return { items: [], next: inHand.length > 0 ? 'with_room' : 'when_woken' }
      return { items: [run], next: run.isMorePending ? 'again' : 'when_woken' }
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
      const isEnded = await runs.end({ ...item, workerId }, outcome.ending, outcome.unstored)
      return new Set(isEnded ? [item.id] : [])
    },
    async onRecorded({ item: run, outcome: { ending, durationMs } }, isRecorded) {
      // The worker that took the run over has failed it, so its result is not needed.
      if (!isRecorded) return deps.results.remove(run.id)
      const status = 'stoppedBy' in ending ? 'stopped' : ending.status
      deps.onRunEnded?.({ status, durationMs, rowCount: 'rowCount' in ending ? ending.rowCount : 0 })
      log.info({ runId: run.id, queryId: run.queryId, organizationId: run.organizationId, durationMs, ...ending }, 'query run ended')
    },
    renewal: {
      everyMs: renewEveryMs,
      renew: ({ items, ...lease }) => runs.renew({ ...lease, leases: items }),
      async recover() {
        for (const runId of await runs.failAbandoned({ reason: abandonedReason })) log.warn({ runId }, 'query run abandoned by its worker')
      },
    },
    stops: { channel: 'run_stops', everyMs: lookEveryMs, read: ({ items }) => runs.readStops({ workerId, leases: items }) },
    duties: [{ what: 'record progress of query runs', everyMs: lookEveryMs, act: reportProgress }],
  }
  return makeWorker(kind, { ...deps, workerId })
}

function traceRun(run: ClaimedRun, ending: RunOutcome) {
  const span = currentSpan()
  span.set({ 'querypost.organization.id': run.organizationId, 'querypost.query.id': run.queryId, 'querypost.run.status': ending.status })
  if (ending.status === 'failed') span.fail('stoppedBy' in ending ? 'stopped' : 'failed')
}

function fullDatabases(runs: ClaimedRun[]): string[] {
  const counts = countBy(runs, ({ database }) => database.id)
  return [...counts].filter(([, count]) => count >= runsAtOncePerDatabase).map(([configId]) => configId)
}

function countBy(runs: ClaimedRun[], keyOf: (run: ClaimedRun) => string): Map<string, number> {
  return new Map([...Map.groupBy(runs, keyOf)].map(([key, group]) => [key, group.length]))
}
