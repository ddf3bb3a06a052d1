import type { Engines } from '../domain/databases/engines.ts'
import { newId } from '../domain/ids.ts'
import { abandonedReason, errorPosition, failureReason, type Interruption, internalReason } from '../domain/runs/outcome.ts'
import { EngineError } from '../engines/engine.ts'
import { abortAfter, type Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import type { ResultStore } from '../results/result-store.ts'
import type { ResultLimits } from '../results/result-too-large.ts'
import type { Db } from '../store/db.ts'
import type { Wakeups } from '../store/wakeups.ts'
import { type ClaimedRun, claimRun } from '../store/runs/claim-run.ts'
import { endRun, failAbandonedRuns, type RunOutcome } from '../store/runs/end-run.ts'
import { readOrders, renewLeases } from '../store/runs/lease.ts'
import { type Progress, recordProgress } from '../store/runs/record-progress.ts'
import { keepDoing, type Repeated } from './repeat.ts'

/**
 * The run worker: claim → act → record. It takes no input: a wake-up only says "look", and what is to do stands in the
 * `runs` table.
 *
 * - A *lease* says until when a worker is believed to be alive. It is renewed while the worker lives; a run whose lease has
 *   expired is failed by whoever notices first.
 * - Recording is *fenced*: it changes the run only if this worker still holds it, so a worker that was taken for dead and
 *   comes back cannot overwrite what was said in its absence.
 * - Each database has a few *places* at a worker, so that one with slow queries, or that hangs, leaves room for the others. The next
 *   place goes to the organization that has the fewest runs in hand. When all are taken there are a few more for *newcomers*,
 *   organizations with none in hand: whatever one does with its databases, the others get on.
 */
export interface RunWorker {
  start(): void
  /** Stops claiming, gives running runs `graceMs` to end, then stops them at their engines. */
  stop(options: { graceMs: number }): Promise<void>
}

export interface RunWorkerDeps {
  db: Db
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
  engines: Pick<Engines, 'engineOf'>
  results: ResultStore
  limits: ResultLimits
  runTimeoutSeconds: number
  /** Told of every run that ended here; for metrics. */
  onRunEnded?(ended: { status: RunOutcome['status']; durationMs: number; rowCount: number }): void
}

const leaseMs = 30_000
const renewEveryMs = 10_000
const lookEveryMs = 2_000
const runsAtOnce = 8
const runsAtOnceWithNewcomers = 12
const runsAtOncePerDatabase = 2

interface RunInHand {
  run: ClaimedRun
  progress: Progress
  /** Whether the store has been told of it. */
  isTold: boolean
  interrupt(why: Interruption): void
  ended: Promise<void>
}

/** What carrying out a run hears from outside, and tells. */
interface Control {
  signal: AbortSignal
  interrupt(why: Interruption): void
  interruption(): Interruption | undefined
  onProgress(progress: Progress): void
}

export function makeRunWorker(deps: RunWorkerDeps): RunWorker {
  const { db, clock, log } = deps
  const workerId = newId(deps.random, 'worker')
  const inHand = new Map<string, RunInHand>()
  let isStopping = false
  const duties: Repeated[] = []
  const listenings: (() => void)[] = []

  async function claimWhileThereIsRoom() {
    while (!isStopping && inHand.size < runsAtOnceWithNewcomers) {
      const now = clock.now()
      const runs = [...inHand.values()].map(({ run }) => run)
      const run = await claimRun(db, {
        workerId,
        now,
        leaseExpiresAt: new Date(now.getTime() + leaseMs),
        fullDatabaseConfigIds: fullDatabases(runs),
        runCountsInHand: countBy(runs, ({ organizationId }) => organizationId),
        isForNewcomersOnly: runs.length >= runsAtOnce,
      })
      if (!run) return
      takeInHand(run)
    }
  }

  function takeInHand(run: ClaimedRun) {
    const abort = new AbortController()
    let interruption: Interruption | undefined
    const interrupt = (why: Interruption) => {
      interruption ??= why
      abort.abort()
    }
    const held: RunInHand = { run, progress: {}, isTold: true, interrupt, ended: Promise.resolve() }
    const onProgress = (progress: Progress) => {
      Object.assign(held.progress, progress)
      held.isTold = false
    }
    const control = { signal: abort.signal, interrupt, interruption: () => interruption, onProgress }
    held.ended = carryOut(run, control).finally(() => {
      // Where the result could not even begin to be written, the statement still waits at the engine for its reader.
      abort.abort()
      inHand.delete(run.id)
      claiming.look()
    })
    inHand.set(run.id, held)
  }

  async function carryOut(run: ClaimedRun, control: Control) {
    const startedMs = clock.monotonicMs()
    const seconds = deps.runTimeoutSeconds
    const limit = abortAfter(clock, seconds * 1000)
    limit.signal.addEventListener('abort', () => control.interrupt({ kind: 'time_limit', seconds }))
    let outcome: RunOutcome
    try {
      outcome = await execute(run, control)
    } catch (error) {
      const reason = failureReason(error, control.interruption())
      if (!reason) log.error({ err: error, runId: run.id }, 'a run failed for a reason of ours')
      const place = errorPosition(error, control.interruption())
      outcome = { status: 'failed', reason: reason ?? internalReason(run.id), errorPosition: place }
    } finally {
      limit.cancel()
    }
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    await record(run, outcome)
    deps.onRunEnded?.({ status: outcome.status, durationMs, rowCount: 'rowCount' in outcome ? outcome.rowCount : 0 })
    log.info({ runId: run.id, queryId: run.queryId, organizationId: run.organizationId, durationMs, ...outcome }, 'run ended')
  }

  async function execute(run: ClaimedRun, { signal, onProgress }: Control): Promise<RunOutcome> {
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

  async function record(run: ClaimedRun, outcome: RunOutcome) {
    const isRecorded = await persist(
      () => endRun(db, { runId: run.id, workerId, outcome, now: clock.now() }),
      `the end of run ${run.id}`,
    )
    if (isRecorded) return deps.wakeups.wake('run_ends')
    log.warn({ runId: run.id }, 'the run was taken from this worker before it could record how it ended')
    await deps.results.remove(run.id)
  }

  /** The store may be away for a while. What happened is not forgotten until the lease would have expired anyway. */
  async function persist(write: () => Promise<boolean>, what: string): Promise<boolean> {
    const giveUpMs = clock.monotonicMs() + leaseMs
    for (;;) {
      try {
        return await write()
      } catch (error) {
        log.error({ err: error }, `could not record ${what}`)
        if (clock.monotonicMs() >= giveUpMs) return false
        await clock.sleep(1000)
      }
    }
  }

  /** At most one statement every `lookEveryMs`, whatever the runs do, and none while they do nothing new. */
  async function tellProgress() {
    const untold = [...inHand.values()].filter(({ isTold }) => !isTold)
    if (untold.length === 0) return
    for (const held of untold) held.isTold = true
    await recordProgress(db, { workerId, runs: untold.map(({ run, progress }) => ({ runId: run.id, progress })) })
  }

  async function obeyOrders() {
    if (inHand.size === 0) return
    const { lost, stops } = await readOrders(db, { workerId, runIds: [...inHand.keys()] })
    for (const { runId, by } of stops) inHand.get(runId)?.interrupt({ kind: 'stopped', by })
    for (const runId of lost) inHand.get(runId)?.interrupt({ kind: 'lease_lost' })
  }

  async function lookAfterRuns() {
    await obeyOrders()
    await tellProgress()
  }

  async function keepLeases() {
    const leaseExpiresAt = new Date(clock.now().getTime() + leaseMs)
    if (inHand.size > 0) await renewLeases(db, { workerId, leaseExpiresAt })
    await obeyOrders()
    const abandoned = await failAbandonedRuns(db, { now: clock.now(), reason: abandonedReason })
    for (const runId of abandoned) log.warn({ runId }, 'a run was abandoned by its worker')
    if (abandoned.length > 0) deps.wakeups.wake('run_ends')
  }

  const claiming = keepDoing({ what: 'claim runs', everyMs: lookEveryMs, clock, log, act: claimWhileThereIsRoom })
  const obeying = keepDoing({ what: 'look after running runs', everyMs: lookEveryMs, clock, log, act: lookAfterRuns })
  const leasing = keepDoing({ what: 'renew leases', everyMs: renewEveryMs, clock, log, act: keepLeases })

  return {
    start() {
      listenings.push(deps.wakeups.listen('runs', claiming.look), deps.wakeups.listen('run_stops', obeying.look))
      duties.push(claiming, obeying, leasing)
      for (const duty of duties) duty.start()
    },
    async stop({ graceMs }) {
      isStopping = true
      for (const stopListening of listenings) stopListening()
      await Promise.all([claiming.stop(), obeying.stop()])
      const grace = new AbortController()
      const allEnded = Promise.all([...inHand.values()].map(({ ended }) => ended)).then(() => grace.abort())
      await clock.sleep(graceMs, grace.signal)
      for (const { interrupt } of inHand.values()) interrupt({ kind: 'shutdown' })
      await allEnded
      await leasing.stop()
    },
  }
}

function fullDatabases(runs: ClaimedRun[]): string[] {
  const counts = countBy(runs, ({ database }) => database.id)
  return [...counts].filter(([, count]) => count >= runsAtOncePerDatabase).map(([configId]) => configId)
}

function countBy(runs: ClaimedRun[], keyOf: (run: ClaimedRun) => string): Map<string, number> {
  return new Map([...Map.groupBy(runs, keyOf)].map(([key, group]) => [key, group.length]))
}
