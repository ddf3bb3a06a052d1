import { Type } from 'typebox'
import { getReference } from '../../../domain/references/references.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { getCachedResult } from '../../../domain/results/results.ts'
import type { Run } from '../../../model/run.ts'
import { getRun } from '../../../domain/runs/read-runs.ts'
import { bounds } from '../mcp-limits.ts'
import { readRowsAnswer, RowsAnswer } from '../mcp-rows.ts'
import { closed, QueryId, RunId, ShortId } from '../shapes.ts'
import { defineTool, reads, type ToolContext } from '../tool.ts'
import { checkQueryId } from './query-tools.ts'

interface ResultIds {
  shortId?: string
  queryId?: string
  runId?: string
}

export const readResult = defineTool({
  name: 'read_result',
  scope: 'read:queries',
  title: 'Read a cached result',
  description:
    'Reads rows of a cached result, page by page: of the latest successful run of a reference or query, or of a given run. ' +
    'Pass exactly one of shortId, queryId and runId. Use runId for further pages, so that all come from the same result. ' +
    'parameterValues in the answer are the values it was run with.',
  hints: reads,
  input: Type.Object(
    {
      shortId: Type.Optional(ShortId),
      queryId: Type.Optional(QueryId),
      runId: Type.Optional(RunId),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: bounds.offsetMaximum, default: 0 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: bounds.rowsMaximum, default: bounds.rowsDefault })),
      columns: Type.Optional(
        Type.Array(Type.String(), { minItems: 1, maxItems: 100, description: 'Column names; all columns if omitted' }),
      ),
    },
    closed,
  ),
  output: RowsAnswer,
  async call(context, { offset = 0, limit = bounds.rowsDefault, columns, ...ids }) {
    const run = await findRun(context, ids)
    return readRowsAnswer(context.services, run, { offset, limit, ...(columns && { columns }) })
  },
})

async function findRun({ services, caller }: ToolContext, { shortId, queryId, runId }: ResultIds): Promise<Run> {
  const given = [shortId, queryId, runId].filter((id) => id !== undefined)
  if (given.length !== 1) {
    const message = `must have exactly one of shortId, queryId and runId, not ${given.length}`
    throw new Refusal('invalid_request', `The input of read_result ${message}.`, [{ path: '/', message }])
  }
  if (runId !== undefined) return getRun(services, caller, runId)
  const reference = shortId === undefined ? undefined : await getReference(services, caller, shortId)
  return (await getCachedResult(services, caller, reference?.currentQuery.id ?? checkQueryId(queryId!))).run
}
