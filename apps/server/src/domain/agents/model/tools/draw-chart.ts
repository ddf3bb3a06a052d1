import { type VisualizationType, visualizationTypes } from '@querypost/visualization'
import { Type } from 'typebox'
import { getRun } from '../../../runs/read-runs.ts'
import { firstRowsOf } from '../../query-runs.ts'
import { chartOfRun, checkChartRequest } from './chart-of-run.ts'
import { defineTool, type ModelTool, ToolFailure } from './model-tool.ts'
import { addFailedStep, asToolFailure } from './tool-step.ts'
import type { ToolWorld } from './tool-world.ts'

const name = 'draw_chart'
/** A chart of only some rows would be misleading, so the chat keeps all rows or none. */
const keptRows = 500
const keptCharacters = 64 * 1024

const columnName = Type.String({ minLength: 1, maxLength: 300 })
const columns = Type.Object(
  {
    category: Type.Optional(columnName),
    values: Type.Optional(Type.Array(columnName, { minItems: 1, maxItems: 20 })),
    splitBy: Type.Optional(columnName),
  },
  { additionalProperties: false },
)

export function drawChart(world: ToolWorld): ModelTool {
  return defineTool({
    name,
    description:
      'Shows a chart of the rows of a query run, all of them, in the chat. Without a visualization, the chart that fits the columns ' +
      'best is drawn. With a type and columns, the chart is built from them: category is the x axis, the names or the rows, values ' +
      'are numeric columns, and splitBy draws one series per value of a column. Only for other settings write a jsxConfig: one ' +
      'Recharts element whose props are literals, for example <LineChart><XAxis dataKey="month" /><YAxis /><Tooltip />' +
      '<Line dataKey="revenue" seriesKey="country" /><ReferenceLine y={1000} label="Target" /></LineChart>.',
    input: Type.Object(
      {
        runId: Type.String({ description: 'The name of the run, such as r1, or its id' }),
        title: Type.String({ minLength: 1, maxLength: 200 }),
        visualization: Type.Optional(
          Type.Object(
            {
              type: Type.Unsafe<VisualizationType>({ type: 'string', enum: [...visualizationTypes] }),
              columns: Type.Optional(columns),
              jsxConfig: Type.Optional(Type.String()),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    async call(input) {
      try {
        const { title, visualization: request } = input
        checkChartRequest(request)
        const runId = world.runNames.find(input.runId)?.runId ?? input.runId
        const run = await getRun(world, world.caller, runId)
        if (run.status !== 'completed') {
          throw new ToolFailure(`The run ${runId} has no rows to draw: it is ${run.status}.`)
        }
        const { fields, rows, isWhole } = await firstRowsOf(world, run, { maxRows: keptRows })
        const visualization = chartOfRun(request, { fields, rows })
        const isKept = isWhole && JSON.stringify(rows).length <= keptCharacters
        await world.chat.add({ kind: 'chart', title, runId, visualization, preview: isKept ? { fields, rows } : null })
        return 'The chart is in the chat.'
      } catch (error) {
        const failure = asToolFailure(error)
        await addFailedStep(world.chat, { tool: name, connector: null, input }, failure.message)
        throw failure
      }
    },
  })
}
