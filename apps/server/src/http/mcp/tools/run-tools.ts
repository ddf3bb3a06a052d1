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
  title: 'Run a saved query',
  description:
    'Runs the query of a reference anew, with values for its parameters, and answers with its first rows. ' +
    'A query that takes longer than waitSeconds goes on; get_run waits for it. ' +
    'Not needed while read_result has a result that is young enough and was made with the same parameters.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: Type.Object(
    { shortId: ShortId, parameterValues: Type.Optional(GivenValues), ...waiting(bounds.waitSecondsDefault) },
    closed,
  ),
  output: Type.Object({ ...RunAnswer.properties, result: nullable(RowsAnswer) }),
  async call(context, { shortId, parameterValues, waitSeconds = bounds.waitSecondsDefault }) {
    const { services, caller } = context
    const begun = await start(services, caller, { shortId, ...(parameterValues && { parameterValues }) }).catch(
      (error: unknown) => nameRunUnderWay(context, shortId, error),
    )
    const run = await waitForRun(context, begun, waitSeconds)
    const answer = presentRunAnswer(run, services)
    if (run.status !== 'completed') return { ...answer, result: null }
    const result = await readRowsAnswer(services, run, { offset: 0, limit: bounds.rowsAfterRun })
    return { ...answer, next: result.next, result }
  },
})

/** Whoever is told that the query is running already can wait for that run, once its id is known. */
async function nameRunUnderWay({ services, caller }: ToolContext, shortId: string, error: unknown): Promise<never> {
  if (!(error instanceof Refusal) || error.code !== 'query_already_running') throw error
  const { currentQuery } = await getReference(services, caller, shortId)
  const { latestRun } = await getStoredQuery(services, caller, currentQuery.id)
  if (!latestRun || isEnded(latestRun)) throw error
  const message = `The query is already running: ${latestRun.id}. get_run with waitSeconds waits for its end.`
  throw new Refusal(error.code, message)
}

export const getRun = defineTool({
  name: 'get_run',
  title: 'Look at a run',
  description: 'How a run of a query goes, or went. With waitSeconds it waits for the end.',
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
  title: 'Stop a run',
  description: 'Stops a run that has not ended, whoever started it. It then fails, and says that it was stopped.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: Type.Object({ runId: RunId }, closed),
  output: RunAnswer,
  async call({ services, caller }, { runId }) {
    return presentRunAnswer(await stop(services, caller, runId), services)
  },
})

function waitForRun({ services, caller, signal, tell }: ToolContext, run: Run, waitSeconds: number): Promise<Run> {
  return waitForEnd<Run>({
    clock: services.clock,
    waitMs: waitSeconds * 1000,
    signal,
    look: () => findRun(services, caller, run.id),
    isEnded,
    woken: (until) => services.runEnds.wait(run.id, until),
    onWaiting: (latest) => tell(describeProgress(latest)),
  })
}
