import {
  type ChartElement,
  columnsOf,
  type Field,
  findColumn,
  fitChart,
  offerSplit,
  setSplit,
  suggestChart,
  type Visualization,
  whyNotEditable,
  writeJsxConfig,
} from '@querypost/visualization'
import { chartOf } from './builder/draft.ts'
import { readChart } from './use-chart.ts'

interface Rows {
  fields: Field[]
  rows: unknown[][]
}

/**
 * Adapts a chart to a result that has other columns than the chart was made for:
 *
 * - A chart that is still as it was suggested for the previous result is suggested again.
 * - Vanished columns are replaced by suggested ones, and every setting that still fits is kept.
 * - If a new column makes several rows share a category, the chart is split by it.
 *
 * A chart whose columns are all there is otherwise returned as it is. `previous`: the result before, if known.
 */
export function refitChart(visualization: Visualization, result: Rows, previous?: Rows | null): Visualization {
  const { type, jsxConfig } = visualization
  const isChanged = previous ? columnsText(previous) !== columnsText(result) : false
  if (isChanged && isSuggested(visualization, previous!)) return suggestAgain(visualization, result)
  if (type === 'table' || jsxConfig.trim() === '') return visualization
  const { element } = readChart(jsxConfig)
  const chart = element && chartOf(visualization, element)
  if (!chart) return visualization
  const isMissing = columnsOf(chart).some((key) => findColumn(result.fields, key) === undefined)
  if (isMissing) return refit(visualization, chart, result)
  const split = isChanged && type !== 'number' ? offerSplit(chart, result) : null
  return split === null ? visualization : { ...visualization, jsxConfig: writeJsxConfig(setSplit(chart, split)) }
}

function refit(visualization: Visualization, chart: ChartElement, result: Rows): Visualization {
  const fitted = whyNotEditable(chart) === null ? fitChart(chart, result) : null
  return fitted ? { ...visualization, jsxConfig: writeJsxConfig(fitted) } : suggestAgain(visualization, result)
}

const suggestAgain = (visualization: Visualization, { fields, rows }: Rows): Visualization => {
  const { type, jsxConfig } = suggestChart(fields, rows) ?? table
  return { ...visualization, type, jsxConfig }
}

const table = { type: 'table', jsxConfig: '' } as const

function isSuggested({ type, jsxConfig }: Visualization, { fields, rows }: Rows): boolean {
  const suggested = suggestChart(fields, rows)
  return suggested !== null && suggested.type === type && suggested.jsxConfig === jsxConfig
}

const columnsText = ({ fields }: Rows) => JSON.stringify(fields.map(({ name, type }) => [name, type]))
