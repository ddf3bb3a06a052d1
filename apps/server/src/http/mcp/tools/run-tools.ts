import { Type } from 'typebox'
import { getStoredQuery } from '../../../domain/queries/queries.ts'
import { getReference } from '../../../domain/references/references.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { Run } from '../../../model/run.ts'
import { getRun as findRun, isEnded, stopRun as stop } from '../../../domain/runs/read-runs.ts'
import { runReference as start } from '../../../domain/runs/start-run.ts'
import { bounds } from '../mcp-limits.ts'
import { readRowsAnswer, RowsAnswer } from '../mcp-rows.ts'
import { describeProgress, presentRunAnswer, RunAnswer } from '../present-run.ts'
import { closed, GivenValues, nullable, RunId, ShortId, waiting } from '../shapes.ts'
import { defineTool, reads, type ToolContext } from '../tool.ts'
import { waitForEnd } from '../wait-for-end.ts'

export const runReference = defineTool({
  name: 'run_reference',
  scope: 'run:queries',
  title: 'Run a saved query',
  description:
    'Runs the query of a reference with values for its parameters, and returns the first rows. ' +
    'A query that takes longer than waitSeconds keeps running; use get_run to wait for it. ' +
    'Not needed if read_result has a recent enough result with the same parameters.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: Type.Object(
    { shortId: ShortId, parameterValues: Type.Optional(GivenValues), ...waiting(bounds.waitSecondsDefault) },
    closed,
  ),
  output: Type.Object({ ...RunAnswer.properties, result: nullable(RowsAnswer) }),
  async call(context, { shortId, parameterValues, waitSeconds = bounds.waitSecondsDefault }) {
    const { services, caller } = context
    const started = await start(services, caller, { shortId, ...(parameterValues && { parameterValues }) }).catch(
      (error: unknown) => nameRunningRun(context, shortId, error),
    )
    const run = await waitForRun(context, started, waitSeconds)
    const answer = presentRunAnswer(run, services)
    if (run.status !== 'completed') return { ...answer, result: null }
    const result = await readRowsAnswer(services, run, { offset: 0, limit: bounds.rowsAfterRun })
    return { ...answer, next: result.next, result }
  },
})

/** Adds the id of the running run to the error, so that the caller can wait for that run. */
async function nameRunningRun({ services, caller }: ToolContext, shortId: string, error: unknown): Promise<never> {
  if (!(error instanceof Refusal) || error.code !== 'query_already_running') throw error
  const { currentQuery } = await getReference(services, caller, shortId)
  const { latestRun } = await getStoredQuery(services, caller, currentQuery.id)
  if (!latestRun || isEnded(latestRun)) throw error
  const message = `The query is already running: ${latestRun.id}. Use get_run with waitSeconds to wait for it.`
  throw new Refusal(error.code, message)
}

export const getRun = defineTool({
  name: 'get_run',
  scope: 'read:queries',
  title: 'Get a run',
  description: 'Returns the state of a query run. With waitSeconds it waits for the run to end.',
  hints: reads,
  input: Type.Object({ runId: RunId, ...waiting(0) }, closed),
  output: RunAnswer,
  async call(context, { runId, waitSeconds = 0 }) {
    const run = await findRun(context.services, context.caller, runId)
    return presentRunAnswer(await waitForRun(context, run, waitSeconds), context.services)
  },
})

export const stopRun = defineTool({
  name: 'stop_run',
  scope: 'run:queries',
  title: 'Stop a run',
  description: 'Stops a run that has not ended, also one that somebody else started. The run then fails with a reason that says it was stopped.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: Type.Object({ runId: RunId }, closed),
  output: RunAnswer,
  async call({ services, caller }, { runId }) {
    return presentRunAnswer(await stop(services, caller, runId), services)
  },
})

function waitForRun({ services, caller, signal, reportProgress }: ToolContext, run: Run, waitSeconds: number): Promise<Run> {
  return waitForEnd<Run>({
    clock: services.clock,
    waitMs: waitSeconds * 1000,
    signal,
    look: () => findRun(services, caller, run.id),
    isEnded,
    woken: (until) => services.runEnds.wait(run.id, until),
    onWaiting: (latest) => reportProgress(describeProgress(latest)),
  })
}
