import type { Field } from '../../model/result.ts'
import type { QueryServices } from '../services.ts'
import { oldestParameters } from '../../store/references/references-table.ts'
import { failPendingRun } from '../../store/runs/end-run.ts'
import { findUsableRun } from '../../store/runs/find-usable-run.ts'
import { requestStop } from '../../store/runs/run-leases.ts'
import type { ParameterDefinition, ParameterValues } from '../../model/parameter.ts'
import { renderSql } from '../parameters/render-sql.ts'
import type { Caller } from '../../model/caller.ts'
import { getStoredQuery } from '../queries/queries.ts'
import { getReference } from '../references/references.ts'
import { Refusal } from '../refusal.ts'
import { openResultRows } from '../results/result-rows.ts'
import { passingReasons } from '../runs/run-outcome.ts'
import type { Run } from '../../model/run.ts'
import { isEnded } from '../runs/read-runs.ts'
import { runQuery, runReference } from '../runs/start-run.ts'

/**
 * Query runs as agents need them: started in the ordinary way and waited for.
 *
 * - A run is *usable* in place of a new one when it is of exactly the same SQL and began at or after `notBefore`: a
 *   thousand automations that are due in the same minute and look at the same reference need one run.
 * - A query has one run at a time. One that is not usable *blocks*: it is waited for, and then all is looked at again.
 * - Only a run that was started here is stopped when the signal aborts. Whoever else uses it looks again, and starts
 *   another.
 */
export type QueryRunDeps = Pick<
  QueryServices,
  'db' | 'clock' | 'random' | 'wakeups' | 'findQuery' | 'findReference' | 'runEnds' | 'resultLifetimeMs'
>

export interface RunToEnd {
  parameterValues?: ParameterValues
  /** A result that began to be made before this is too old. */
  notBefore: Date
  signal: AbortSignal
  /** Told which run it will be, which may have ended already; again when it has to be another. */
  onStarted?: (run: Run) => void | Promise<void>
}

/**
 * Runs a reference with its own parameters, and waits until the run has completed or failed. Refuses as starting it
 * would.
 */
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

/** The first rows of a completed run's result. Refuses when that has expired. */
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

/** How often a run is started anew that failed for a reason which has nothing to do with it. */
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
  let told: string | undefined
  let starts = 0
  async function tell(run: Run) {
    if (told !== run.id) await input.onStarted?.(run)
    told = run.id
  }
  for (;;) {
    signal.throwIfAborted()
    const { queryId, definitions } = await input.look()
    const query = await getStoredQuery(deps, caller, queryId)
    const { renderedSql } = renderSql({ ...query, definitions, values: parameterValues })
    const usable = await findUsableRun(deps.db, {
      organizationId: caller.organizationId,
      queryId,
      renderedSql,
      notBefore: input.notBefore,
      completedAfter: new Date(deps.clock.now().getTime() - deps.resultLifetimeMs),
      passingReasons,
    })
    if (usable) {
      await tell(usable)
      if (isEnded(usable)) return usable
      await deps.runEnds.wait(usable.id, signal)
      continue
    }
    if (query.latestRun && !isEnded(query.latestRun)) {
      await deps.runEnds.wait(query.latestRun.id, signal)
      continue
    }
    const own = await unlessRunning(input.start(parameterValues))
    // Somebody was faster: theirs may be usable.
    if (!own) continue
    const run = await endOfOwn(deps, caller, { run: own, signal, tell })
    const isPassing = run.status === 'failed' && passingReasons.includes(run.failureReason!)
    if (!isPassing || ++starts === maxStarts) return run
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
  { run, signal, tell }: { run: Run; signal: AbortSignal; tell(run: Run): Promise<void> },
): Promise<Run> {
  try {
    await tell(run)
    return await deps.runEnds.wait(run.id, signal)
  } catch (error) {
    await stop(deps, caller, run)
    throw error
  }
}

async function stop({ db, clock }: QueryRunDeps, caller: Caller, { id: runId }: Run): Promise<void> {
  const reason = 'Stopped before it started: the agent that asked for it was stopped.'
  if (await failPendingRun(db, { runId, reason, stoppedBy: caller.userId, now: clock.now() })) return
  await requestStop(db, { runId, userId: caller.userId })
}
