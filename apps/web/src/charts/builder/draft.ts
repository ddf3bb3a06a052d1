import {
  changeKind,
  type ChartElement,
  type ChartKind,
  defaultChoice,
  defaultMargin,
  elementsOfTypes,
  type Field,
  fitChart,
  isCountryColumn,
  isNumeric,
  kindOf,
  makeChart,
  makeNumber,
  readChoice,
  readNumber,
  type Visualization,
  type VisualizationType,
  writeJsxConfig,
} from '@querypost/visualization'
import { readChart } from '../use-chart.ts'

/** The visualization being edited: changes in the form or the JSX each produce a complete visualization. */

export const empty: Visualization = { type: 'table', jsxConfig: '', marginConfig: defaultMargin }

/** Derives the type from the JSX. A number may be written as any of the first chart elements, so it stays a number. */
export function withText(value: Visualization, jsxConfig: string): Visualization {
  const { element } = readChart(jsxConfig)
  const isKept = value.type === 'table' || (value.type === 'number' && element && elementsOfTypes.number.includes(element.name))
  return { ...value, jsxConfig, type: element && !isKept ? kindOf(element) : value.type }
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
  if (type === 'table') return { ...value, type, jsxConfig: '' }
  const kept = known && fitChart(changeKind(known, type), input)
  const chart = kept && (type !== 'map' || hasCountries(kept, input)) ? kept : makeChart(defaultChoice(type, input))
  return { ...value, type, jsxConfig: type === 'number' ? numberText(chart) : writeJsxConfig(chart) }
}

/** A map of anything but countries would be empty. */
function hasCountries(chart: ChartElement, result: Rows): boolean {
  const field = result.fields.find(({ name }) => name === readChoice(chart).categoryKey)
  return field !== undefined && isCountryColumn(result, field)
}

/** Without a column, a number shows the first one and has no JSX. */
function numberText(chart: ChartElement): string {
  return readNumber(chart).key === null ? '' : writeJsxConfig(chart)
}

/** The chart of a visualization in the terms of its type: a number may be written as a bar chart. */
export function chartOf({ type }: Visualization, element: ChartElement | null): ChartElement | null {
  return type === 'number' ? makeNumber(readNumber(element)) : element
}

/** The column to add next: the first numeric one that is not drawn yet. */
export function nextColumn(chart: ChartElement, fields: Field[]): Field | undefined {
  const { series, categoryKey } = readChoice(chart)
  const drawn = new Set([...series.map(({ key }) => key), categoryKey])
  const numbers = fields.filter(isNumeric)
  return numbers.find(({ name }) => !drawn.has(name)) ?? numbers[0]
}

/** Whether a type is drawn by the chart engine, with axes and margins, and not as text. */
export const isDrawn = (type: VisualizationType): type is Exclude<ChartKind, 'number' | 'pivot'> =>
  type !== 'table' && type !== 'number' && type !== 'pivot'
