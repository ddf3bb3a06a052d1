import {
  type ChartElement,
  columnsOf,
  defaultMargin,
  type Field,
  findColumn,
  fitChart,
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
 * Adapts a chart to a result that no longer has all of its columns: vanished columns are replaced by suggested ones, and every
 * setting that still fits is kept. A chart whose columns are all there is returned as it is.
 */
export function refitChart(visualization: Visualization, result: Rows): Visualization {
  const { type, jsxConfig } = visualization
  if (type === 'table' || jsxConfig.trim() === '') return visualization
  const { element } = readChart(jsxConfig)
  const chart = element && chartOf(visualization, element)
  if (!chart || !columnsOf(chart).some((key) => findColumn(result.fields, key) === undefined)) return visualization
  const fitted = refitDrawn(chart, result)
  if (fitted) return { ...visualization, jsxConfig: writeJsxConfig(fitted) }
  return { ...visualization, ...(suggestChart(result.fields, result.rows) ?? table), marginConfig: visualization.marginConfig }
}

const table: Visualization = { type: 'table', jsxConfig: '', marginConfig: defaultMargin }

/** Null if another chart has to be suggested. */
const refitDrawn = (chart: ChartElement, result: Rows) => (whyNotEditable(chart) === null ? fitChart(chart, result) : null)
