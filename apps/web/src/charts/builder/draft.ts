import {
  changeKind,
  type ChartElement,
  type Field,
  isNumeric,
  isTime,
  makeChart,
  readShape,
  type SeriesKind,
  suggestChart,
  defaultMargin,
  type Visualization,
  type VisualizationType,
  writeJsxConfig,
} from '@querypost/visualization'
import { readChart } from '../use-chart.ts'

/** The visualization being edited: changes in the form or the JSX each produce a complete visualization. */

export const empty: Visualization = { type: 'table', jsxConfig: '', marginConfig: defaultMargin }

/** Derives the type from the JSX; a chart of several series types keeps its type. */
export function withText(value: Visualization, jsxConfig: string): Visualization {
  const { element } = readChart(jsxConfig)
  const kind = element && value.type !== 'number' && value.type !== 'table' ? readShape(element).kind : 'composed'
  return { ...value, jsxConfig, type: kind === 'composed' ? value.type : kind }
}

export interface Rows {
  fields: Field[]
  rows: unknown[][]
}

interface TypeChoice extends Rows {
  type: VisualizationType
  /** The last valid chart, whose columns the new one keeps. */
  known: ChartElement | null
}

export function withType(value: Visualization, input: TypeChoice): Visualization {
  const { type, known } = input
  if (type === 'table' || type === 'number' || type === 'pivot' || type === 'combo') return { ...value, type, jsxConfig: '' }
  return { ...value, type, jsxConfig: writeJsxConfig(known ? changeKind(known, type) : firstChart(type, input)) }
}

function firstChart(kind: SeriesKind, { fields, rows }: Rows): ChartElement {
  const suggested = suggestChart(fields, rows)
  const chart = suggested && suggested.type !== 'number' ? readChart(suggested.jsxConfig).element : null
  if (chart) return changeKind(chart, kind)
  const numbers = fields.filter(isNumeric)
  const category = fields.find(isTime) ?? fields.find((field) => !isNumeric(field)) ?? fields[0]
  const measure = numbers.find((field) => field !== category) ?? numbers[0]
  return makeChart({ kind, categoryKey: category?.name ?? null, series: measure ? [{ key: measure.name }] : [] })
}

/** The column to add next: the first numeric one that is not drawn yet. */
export function nextColumn(chart: ChartElement, fields: Field[]): Field | undefined {
  const { series, categoryKey } = readShape(chart)
  const drawn = new Set([...series.map(({ key }) => key), categoryKey])
  const numbers = fields.filter(isNumeric)
  return numbers.find(({ name }) => !drawn.has(name)) ?? numbers[0]
}
