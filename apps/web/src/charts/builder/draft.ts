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
  usualMargin,
  type Visualization,
  type VisualizationType,
  writeJsxConfig,
} from '@querypost/visualization'
import { readChart } from '../use-chart.ts'

/** What is being built, between the form and the text: changes of either give a whole visualization. */

export const empty: Visualization = { type: 'table', jsxConfig: '', marginConfig: usualMargin }

/** The type follows what the text draws; a mixed chart keeps the type it has. */
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
  /** The chart that was drawn last, whose columns the new one takes over. */
  known: ChartElement | null
}

export function withType(value: Visualization, input: TypeChoice): Visualization {
  const { type, known } = input
  if (type === 'table' || type === 'number') return { ...value, type, jsxConfig: '' }
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

/** A column to add: the first of numbers that is not drawn yet. */
export function nextColumn(chart: ChartElement, fields: Field[]): Field | undefined {
  const { series, categoryKey } = readShape(chart)
  const drawn = new Set([...series.map(({ key }) => key), categoryKey])
  const numbers = fields.filter(isNumeric)
  return numbers.find(({ name }) => !drawn.has(name)) ?? numbers[0]
}
