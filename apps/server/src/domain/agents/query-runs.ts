import type { Field } from '../../model/result.ts'
import type { QueryServices } from '../services.ts'
import { oldestParameters } from '../../store/references/references-table.ts'
import { findUsableRun } from '../../store/runs/find-usable-run.ts'
import { requestStop } from '../../store/runs/run-leases.ts'
import { findRunInTheWay } from '../../store/runs/waiting-runs.ts'
import { currentViewer } from '../../store/viewer.ts'
import type { ParameterDefinition, ParameterValues } from '../../model/parameter.ts'
import { renderBoundSql } from '../row-rules/render-bound-sql.ts'
import type { Caller } from '../../model/caller.ts'
import { getStoredQuery } from '../queries/queries.ts'
import { getReference } from '../references/references.ts'
import { Refusal } from '../refusal.ts'
import { openResultRows } from '../results/result-rows.ts'
import { transientReasons } from '../runs/run-outcome.ts'
import type { Run } from '../../model/run.ts'
import { stopPendingRun } from '../runs/publish-run-end.ts'
import { isEnded } from '../runs/read-runs.ts'
import { runQuery, runReference } from '../runs/start-run.ts'

/**
 * Query runs for agents: started in the ordinary way and waited for.
 * - A run is *usable* in place of a new one if it has exactly the same SQL and started at or after `notBefore`. If a thousand
 *   automations are due in the same minute and use the same reference, one run is enough.
 * - A query has one run at a time. A run that is not usable *blocks*: wait for it, then check again.
 * - Only a run that was started here is stopped when the signal aborts. Others that use it check again and start another.
 */
export type QueryRunDeps = Pick<
  QueryServices,
  'db' | 'clock' | 'random' | 'wakeups' | 'findQuery' | 'findReference' | 'runEnds' | 'resultLifetimeMs' | 'baseUrl' | 'engines'
>

export interface RunToEnd {
  parameterValues?: ParameterValues
  /** A result whose run started before this is too old. */
  notBefore: Date
  signal: AbortSignal
  /** Called with the run that is used, which may have ended already; called again if another run replaces it. */
  onStarted?: (run: Run) => void | Promise<void>
}

/** Runs a reference with its own parameters, and waits until the run has completed or failed. Throws if it cannot be started. */
export function runReferenceToEnd(
  deps: QueryRunDeps,
  caller: Caller,
  { shortId, ...input }: RunToEnd & { shortId: string },
): Promise<Run> {
  return toEnd(deps, caller, {
    ...input,
    async look() {
      const reference = await getReference(deps, caller, shortId)
      return { queryId: reference.currentQuery.id, definitions: reference.parameters }
    },
    start: (parameterValues) => runReference(deps, caller, { shortId, parameterValues }),
  })
}

/** Runs a query, and waits until the run has completed or failed. */
export function runQueryToEnd(
  deps: QueryRunDeps,
  caller: Caller,
  { queryId, ...input }: RunToEnd & { queryId: string },
): Promise<Run> {
  const { organizationId } = caller
  return toEnd(deps, caller, {
    ...input,
    async look() {
      return { queryId, definitions: await oldestParameters(deps.db, { organizationId, queryId }) }
    },
    start: (parameterValues) => runQuery(deps, caller, { queryId, parameterValues }),
  })
}

/** The first rows of a completed run's result. Throws if the result has expired. */
export async function firstRowsOf(
  deps: Pick<QueryServices, 'clock' | 'results' | 'resultLifetimeMs'>,
  run: Run,
  { maxRows }: { maxRows: number },
): Promise<{ fields: Field[]; rows: unknown[][]; isWhole: boolean }> {
  const { fields, rows: all } = await openResultRows(deps, run)
  const rows: unknown[][] = []
  for await (const row of all) {
    rows.push(row)
    if (rows.length >= maxRows) break
  }
  return { fields, rows, isWhole: rows.length === run.rowCount }
}

/** How often a run is restarted if it failed for a reason unrelated to the query. */
const maxStarts = 3

async function toEnd(
  deps: QueryRunDeps,
  caller: Caller,
  input: RunToEnd & {
    look(): Promise<{ queryId: string; definitions: ParameterDefinition[] }>
    start(parameterValues: ParameterValues): Promise<Run>
  },
): Promise<Run> {
  const { signal, parameterValues = {} } = input
  let reportedId: string | undefined
  let starts = 0
  async function reportStarted(run: Run) {
    if (reportedId !== run.id) await input.onStarted?.(run)
    reportedId = run.id
  }
  for (;;) {
    signal.throwIfAborted()
    const { queryId, definitions } = await input.look()
    const query = await getStoredQuery(deps, caller, queryId)
    const { renderedSql } = renderBoundSql(query, { definitions, values: parameterValues, now: deps.clock.now() })
    const usable = await findUsableRun(deps.db, {
      organizationId: caller.organizationId,
      queryId,
      renderedSql,
      notBefore: input.notBefore,
      completedAfter: new Date(deps.clock.now().getTime() - deps.resultLifetimeMs),
      transientReasons,
    })
    if (usable) {
      await reportStarted(usable)
      if (isEnded(usable)) return usable
      await deps.runEnds.wait(usable.id, signal)
      continue
    }
    if (query.latestRun && !isEnded(query.latestRun)) {
      await deps.runEnds.wait(query.latestRun.id, signal)
      continue
    }
    const own = await unlessRunning(input.start(parameterValues))
    // Someone else started one first, which may be usable, unless it has other rows.
    if (!own) {
      const inTheWay = currentViewer() && (await findRunInTheWay(deps.db, queryId))
      if (inTheWay !== undefined) await deps.runEnds.wait(inTheWay, signal)
      continue
    }
    const run = await endOfOwn(deps, caller, { run: own, signal, reportStarted })
    const isTransient = run.status === 'failed' && transientReasons.includes(run.failureReason!)
    if (!isTransient || ++starts === maxStarts) return run
  }
}

async function unlessRunning(starting: Promise<Run>): Promise<Run | undefined> {
  try {
    return await starting
  } catch (error) {
    if (error instanceof Refusal && error.code === 'query_already_running') return undefined
    throw error
  }
}

async function endOfOwn(
  deps: QueryRunDeps,
  caller: Caller,
  { run, signal, reportStarted }: { run: Run; signal: AbortSignal; reportStarted(run: Run): Promise<void> },
): Promise<Run> {
  try {
    await reportStarted(run)
    return await deps.runEnds.wait(run.id, signal)
  } catch (error) {
    await stop(deps, caller, run)
    throw error
  }
}

async function stop(deps: QueryRunDeps, caller: Caller, { id: runId }: Run): Promise<void> {
  const reason = 'Stopped before it started, because the agent that requested it was stopped.'
  if (await stopPendingRun(deps, { runId, reason, stoppedBy: caller.userId })) return
  await requestStop(deps.db, { runId, userId: caller.userId })
}
