import {
  type ChartChoice,
  type ChartElement,
  columnsOf,
  defaultChoice,
  type Field,
  findColumn,
  fitChart,
  makeChart,
  offerSplit,
  parseJsxConfig,
  prepareRows,
  readChoice,
  suggestChart,
  type Visualization,
  type VisualizationType,
  writeJsxConfig,
} from '@querypost/visualization'
import { checkVisualization } from '../../../references/check-visualization.ts'
import { ToolFailure } from './model-tool.ts'

/** What a model asks for: JSX, or a type with columns, or only a type, or nothing. The rest is chosen from the rows. */
export interface ChartRequest {
  type: VisualizationType
  jsxConfig?: string | undefined
  columns?: { category?: string; values?: string[]; splitBy?: string } | undefined
}

interface RunRows {
  fields: readonly Field[]
  rows: readonly (readonly unknown[])[]
}

const marginConfig = { top: 16, right: 16, bottom: 16, left: 16 }

/** The part of a request that can be checked before its run is read: the JSX. Throws if it is not a valid chart. */
export function checkChartRequest(request: ChartRequest | undefined): void {
  if (request?.jsxConfig) checkVisualization({ type: request.type, jsxConfig: request.jsxConfig, marginConfig })
}

/** The chart to draw. Throws if the run has no such columns, nothing to draw, or rows that a line would mix up. */
export function chartOfRun(request: ChartRequest | undefined, run: RunRows): Visualization {
  const { type, jsxConfig } = request ? requestedChart(request, run) : (suggestChart(run.fields, run.rows) ?? table)
  const visualization = checkVisualization({ type, jsxConfig, marginConfig })
  if (jsxConfig.trim() === '') return visualization
  const chart = parseJsxConfig(jsxConfig)
  checkColumns(columnsOf(chart), run)
  if (type !== 'number' && type !== 'pivot') checkDrawing(chart, run)
  return visualization
}

function checkDrawing(chart: ChartElement, run: RunRows): void {
  const split = offerSplit(chart, run)
  if (split !== null) {
    const { categoryKey } = readChoice(chart)
    throw new ToolFailure(`Several rows have the same ${categoryKey}. Split the chart by ${split}: seriesKey="${split}" on its series.`)
  }
  const [problem] = prepareRows({ ...run, element: chart }).problems
  if (problem !== undefined) throw new ToolFailure(problem)
}

const table = { type: 'table', jsxConfig: '' } as const

function requestedChart({ type, jsxConfig = '', columns }: ChartRequest, run: RunRows): Pick<Visualization, 'type' | 'jsxConfig'> {
  if (type === 'table' || jsxConfig !== '') return { type, jsxConfig }
  if (type === 'number' && !columns) return { type, jsxConfig }
  const { category, values, splitBy } = columns ?? {}
  checkColumns([category, splitBy, ...(values ?? [])].filter((name) => name !== undefined), run)
  const choice: ChartChoice = {
    ...defaultChoice(type, run),
    ...(category !== undefined && { categoryKey: category }),
    ...(values && { series: values.map((key) => ({ key })) }),
    ...(splitBy !== undefined && { splitKey: splitBy }),
  }
  const chart = fitChart(makeChart(choice), run)
  if (!chart) throw new ToolFailure(`The run has no columns for a chart of type ${type}. Draw another type, or a table.`)
  return { type, jsxConfig: writeJsxConfig(chart) }
}

function checkColumns(names: readonly string[], { fields }: RunRows): void {
  const missing = names.find((name) => !findColumn(fields, name))
  if (missing === undefined) return
  throw new ToolFailure(`The run has no column ${JSON.stringify(missing)}. Its columns are ${fields.map(({ name }) => name).join(', ')}.`)
}
