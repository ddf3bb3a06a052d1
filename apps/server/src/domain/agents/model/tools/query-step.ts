import { previewRows, type QueryRunStep } from '../../../../model/chat.ts'
import type { Run } from '../../../../model/run.ts'
import { firstRowsOf } from '../../query-runs.ts'
import { bounds } from '../model-limits.ts'
import { ToolFailure } from './model-tool.ts'
import { presentRows } from './rows-for-model.ts'
import { asToolFailure } from './tool-step.ts'
import type { ToolWorld } from './tool-world.ts'

/** Shows a query run as a step of the chat: added when it starts, updated when it ends. Resolves with the text for the model. */
export async function withQueryStep(
  world: ToolWorld,
  begin: Pick<QueryRunStep, 'reference' | 'sql' | 'parameterValues' | 'columns'>,
  run: (onStarted: (run: Run) => Promise<void>) => Promise<Run>,
): Promise<string> {
  const { chat } = world
  let step: QueryRunStep = {
    kind: 'query_run',
    runId: null,
    ...begin,
    status: 'pending',
    rowCount: null,
    preview: null,
    failureReason: null,
  }
  const number = await chat.add(step)
  const change = (changed: Partial<QueryRunStep>) => {
    step = { ...step, ...changed }
    return chat.change(number, step)
  }
  try {
    const ended = await run(({ id: runId, renderedSql, parameterValues }) =>
      change({ runId, status: 'running', sql: renderedSql, parameterValues }),
    )
    if (ended.status === 'failed') throw new ToolFailure(ended.failureReason!)
    const { fields, rows } = await firstRowsOf(world, ended, { maxRows: bounds.rows })
    const preview = { fields, rows: rows.slice(0, previewRows) }
    await change({ status: 'completed', rowCount: ended.rowCount, preview })
    const name = world.runNames.add({ runId: ended.id, title: step.reference?.title ?? null })
    const lead = `Run ${name} (${ended.id}). Write its figures as {{${name}: expression}}.`
    return presentRows({ fields, rows, lead, rowCount: ended.rowCount! })
  } catch (error) {
    const failure = asToolFailure(error)
    await change({ status: 'failed', failureReason: failure.message })
    throw failure
  }
}
