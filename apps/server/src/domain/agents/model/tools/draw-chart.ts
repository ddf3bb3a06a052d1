import { columnsOf, findColumn, parseJsxConfig } from '@querypost/visualization'
import { Type } from 'typebox'
import type { Preview } from '../../../../model/chat.ts'
import { type Visualization, type VisualizationType, visualizationTypes } from '@querypost/visualization'
import { checkVisualization } from '../../../references/check-visualization.ts'
import type { Run } from '../../../../model/run.ts'
import { getRun } from '../../../runs/read-runs.ts'
import { firstRowsOf } from '../../query-runs.ts'
import { defineTool, type ModelTool, ToolFailure } from './model-tool.ts'
import { addFailedStep, asToolFailure } from './tool-step.ts'
import type { ToolWorld } from './tool-world.ts'

const name = 'draw_chart'
const margin = { top: 16, right: 16, bottom: 16, left: 16 }
/** A chart of only some rows would be misleading, so the chat keeps all rows or none. */
const keptRows = 500
const keptCharacters = 64 * 1024

export function drawChart(world: ToolWorld): ModelTool {
  return defineTool({
    name,
    description:
      'Shows a chart of the rows of a query run, all of them, in the chat. The jsxConfig is one Recharts element ' +
      'whose props are literals, for example <BarChart><XAxis dataKey="month" /><YAxis /><Tooltip />' +
      '<Bar dataKey="revenue" /></BarChart>. For the types table and number it is empty.',
    input: Type.Object(
      {
        runId: Type.String({ description: 'The name of the run, such as r1, or its id' }),
        title: Type.String({ minLength: 1, maxLength: 200 }),
        visualization: Type.Object(
          {
            type: Type.Unsafe<VisualizationType>({ type: 'string', enum: [...visualizationTypes] }),
            jsxConfig: Type.String(),
          },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false },
    ),
    async call(input) {
      try {
        const { title } = input
        const runId = world.runNames.find(input.runId)?.runId ?? input.runId
        const visualization = checkVisualization({ ...input.visualization, marginConfig: margin })
        const run = await getRun(world, world.caller, runId)
        if (run.status !== 'completed') {
          throw new ToolFailure(`The run ${runId} has no rows to draw: it is ${run.status}.`)
        }
        const preview = await rowsToKeep(world, run, visualization)
        await world.chat.add({ kind: 'chart', title, runId, visualization, preview })
        return 'The chart is in the chat.'
      } catch (error) {
        const failure = asToolFailure(error)
        await addFailedStep(world.chat, { tool: name, connector: null, input }, failure.message)
        throw failure
      }
    },
  })
}

async function rowsToKeep(world: ToolWorld, run: Run, visualization: Visualization): Promise<Preview | null> {
  const { fields, rows, isWhole } = await firstRowsOf(world, run, { maxRows: keptRows })
  const names = fields.map((field) => field.name)
  const missing = columnsIn(visualization).find((name) => !findColumn(fields, name))
  if (missing !== undefined) {
    throw new ToolFailure(`The run has no column ${JSON.stringify(missing)}. Its columns are ${names.join(', ')}.`)
  }
  return isWhole && JSON.stringify(rows).length <= keptCharacters ? { fields, rows } : null
}

const columnsIn = ({ jsxConfig }: Visualization) => (jsxConfig.trim() === '' ? [] : columnsOf(parseJsxConfig(jsxConfig)))
