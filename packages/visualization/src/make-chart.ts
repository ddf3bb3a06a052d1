import { type ChartElement, type ChartProps, element } from './chart-element.ts'
import {
  type ChartChoice,
  chartNames,
  type ComboPart,
  hasNameKey,
  isCartesian,
  rightAxis,
  type SeriesChoice,
  seriesParts,
} from './chart-choice.ts'

/** A chart with the usual parts. Types that draw one column draw the first. */
export function makeChart(choice: ChartChoice): ChartElement {
  return element(chartNames[choice.kind], chartProps(choice), partsOf(choice))
}

function chartProps({ kind, isHorizontal, arrangement }: ChartChoice): ChartProps {
  if (kind !== 'bar' && kind !== 'area') return {}
  return {
    ...(kind === 'bar' && isHorizontal && { layout: 'vertical' }),
    ...(arrangement === 'expanded' && { stackOffset: 'expand' }),
  }
}

function partsOf(choice: ChartChoice): ChartElement[] {
  const { kind, categoryKey, splitKey = null } = choice
  const [first] = choice.series
  if (isCartesian(kind)) return cartesianParts(choice)
  if (kind === 'scatter') return scatterParts(choice)
  if (kind === 'pivot') {
    return [
      ...partFor('PivotRow', categoryKey),
      ...partFor('PivotColumn', splitKey),
      ...choice.series.map(({ key, name }) => element('PivotValue', { dataKey: key, ...nameProps(name), aggregate: 'sum' })),
    ]
  }
  const part = element(seriesParts[kind], first ? singleProps(choice, first) : {})
  if (kind === 'number' || kind === 'histogram') return kind === 'number' ? [part] : [...plainAxes(), element('Tooltip'), part]
  if (kind === 'heatmap') return [...plainAxes(categoryKey, splitKey), element('Tooltip'), part]
  return [element('Tooltip'), ...(kind === 'pie' ? [element('Legend')] : []), ...(first ? [part] : [])]
}

function singleProps({ kind, categoryKey }: ChartChoice, { key, name }: SeriesChoice): ChartProps {
  const props: ChartProps = { dataKey: key, ...(hasNameKey(kind) && named(categoryKey, 'nameKey')) }
  if (kind === 'number') {
    // A number over time is read against the period before it.
    return { ...props, ...nameProps(name), ...(categoryKey !== null && { timeKey: categoryKey, compare: 'previous', sparkline: true }) }
  }
  return kind === 'pie' ? props : { ...props, ...nameProps(name) }
}

const plainAxes = (xKey: string | null = null, yKey: string | null = null) => [
  element('XAxis', named(xKey, 'dataKey')),
  element('YAxis', named(yKey, 'dataKey')),
]

/** The props of a new series of a type. */
export function seriesProps(kind: keyof typeof seriesParts, { key, name, color }: SeriesChoice): ChartProps {
  return {
    ...(kind !== 'scatter' && { dataKey: key }),
    ...nameProps(name),
    ...((kind === 'line' || kind === 'area') && { type: 'monotone' }),
    ...colorProps(kind, color),
    ...(kind === 'pivot' && { aggregate: 'sum' }),
  }
}

export function colorProps(kind: keyof typeof seriesParts, color: string | undefined): ChartProps {
  if (color === undefined) return {}
  return {
    ...((kind === 'line' || kind === 'area' || kind === 'pie') && { stroke: color }),
    ...(kind !== 'line' && { fill: color }),
  }
}

const nameProps = (name: string | undefined): ChartProps => (name === undefined || name === '' ? {} : { name })
const named = (key: string | null, prop: string): ChartProps => (key === null ? {} : { [prop]: key })
const partFor = (name: string, key: string | null) => (key === null ? [] : [element(name, { dataKey: key })])

const legendOf = ({ series, splitKey = null, hasLegend = series.length > 1 || splitKey !== null }: ChartChoice) =>
  hasLegend ? [element('Legend')] : []

function scatterParts(choice: ChartChoice): ChartElement[] {
  const [first] = choice.series
  const { splitKey = null, sizeKey = null } = choice
  return [
    element('CartesianGrid'),
    element('XAxis', { type: 'number', ...named(choice.categoryKey, 'dataKey') }),
    element('YAxis', { type: 'number', ...named(first?.key ?? null, 'dataKey') }),
    ...partFor('ZAxis', sizeKey),
    element('Tooltip'),
    ...legendOf(choice),
    element('Scatter', { ...seriesProps('scatter', { key: '', ...first }), ...named(splitKey, 'seriesKey') }),
  ]
}

function cartesianParts(choice: ChartChoice): ChartElement[] {
  const { kind, splitKey = null, arrangement = 'grouped' } = choice
  const category = named(choice.categoryKey, 'dataKey')
  const isHorizontal = kind === 'bar' && choice.isHorizontal === true
  const axes = isHorizontal
    ? [element('XAxis', { type: 'number' }), element('YAxis', { type: 'category', ...category })]
    : [element('XAxis', category), element('YAxis')]
  const stackable = kind === 'bar' || kind === 'area'
  const series = choice.series.map((each, at) => {
    const part = kind === 'combo' ? (each.drawnAs ?? defaultComboPart(at)) : (kind as ComboPart)
    return element(seriesParts[part], {
      ...seriesProps(part, each),
      ...(kind !== 'combo' && named(splitKey, 'seriesKey')),
      ...(stackable && arrangement !== 'grouped' && { stackId: 'all' }),
      ...(kind === 'combo' && each.isOnRight && { yAxisId: rightAxis }),
    })
  })
  const hasRightAxis = series.some(({ props }) => props['yAxisId'] === rightAxis)
  return [
    element('CartesianGrid', isHorizontal ? { horizontal: false } : { vertical: false }),
    ...axes,
    ...(hasRightAxis ? [makeRightAxis()] : []),
    element('Tooltip'),
    ...legendOf(choice),
    ...series,
  ]
}

export const makeRightAxis = () => element('YAxis', { yAxisId: rightAxis, orientation: 'right' })

/** Bars for the first column, lines for the others. */
export const defaultComboPart = (at: number): ComboPart => (at === 0 ? 'bar' : 'line')
