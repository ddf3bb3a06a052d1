import {
  addSeries,
  changeKind,
  type ChartElement,
  columnsOf,
  type Field,
  findColumn,
  makeNumber,
  readNumber,
  readShape,
  removeSeries,
  setCategory,
  setTitle,
  suggestChart,
  defaultMargin,
  type Visualization,
  whyNotEditable,
  writeJsxConfig,
} from '@querypost/visualization'
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
  const isMissing = (key: string | null) => key !== null && findColumn(result.fields, key) === undefined
  if (!element || !columnsOf(element).some(isMissing)) return visualization
  const suggested = suggestChart(result.fields, result.rows)
  if (type === 'number') return refitNumber(visualization, { element, suggested })
  if (!suggested || whyNotEditable(element) !== null) return withMargins(visualization, suggested)
  const fitted = refitDrawn(element, { suggested, isMissing })
  return fitted ? { ...visualization, jsxConfig: writeJsxConfig(fitted) } : withMargins(visualization, suggested)
}

const table: Visualization = { type: 'table', jsxConfig: '', marginConfig: defaultMargin }

const withMargins = ({ marginConfig }: Visualization, suggested: Visualization | null): Visualization => ({
  ...(suggested ?? table),
  marginConfig,
})

/** The caption names the old column; the unit may still be right. */
function refitNumber(
  visualization: Visualization,
  { element, suggested }: { element: ChartElement; suggested: Visualization | null },
): Visualization {
  if (suggested?.type !== 'number') return { ...visualization, jsxConfig: '' }
  const suggestedChart = suggested.jsxConfig === '' ? null : readChart(suggested.jsxConfig).element
  const { key } = readNumber(suggestedChart)
  const chart = makeNumber({ key, caption: null, unit: readNumber(element).unit })
  return { ...visualization, jsxConfig: chart ? writeJsxConfig(chart) : '' }
}

/** Undefined if the suggestion has nothing to offer to a chart of this kind. */
function refitDrawn(
  element: ChartElement,
  { suggested, isMissing }: { suggested: Visualization; isMissing(key: string | null): boolean },
): ChartElement | undefined {
  const { kind } = readShape(element)
  const other = suggested.type === 'number' ? null : readChart(suggested.jsxConfig).element
  if (!other || kind === 'composed' || kind === 'number' || kind === 'pivot') return undefined
  const offered = readShape(changeKind(other, kind))
  let chart = element
  const before = readShape(chart)
  if (isMissing(before.categoryKey)) {
    if (offered.categoryKey === null) return undefined
    chart = setTitle(setCategory(chart, offered.categoryKey), 'category', '')
  }
  const gone = before.series.flatMap(({ key }, at) => (isMissing(key) ? [at] : []))
  for (const at of gone.toReversed()) chart = removeSeries(chart, at)
  if (gone.length < before.series.length) return chart
  const series = offered.series.flatMap(({ key }) => (key === null || key === readShape(chart).categoryKey ? [] : [key]))
  if (series.length === 0) return undefined
  return setTitle(series.reduce((made, key) => addSeries(made, { key }), chart), 'value', '')
}
