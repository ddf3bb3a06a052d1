import { type ChartElement, textProp } from '../chart-element.ts'
import type { Category, DrawnSeries } from '../prepare/prepared-chart.ts'
import { categoryAxis, clean, valueAxes, valueAxis } from './axes.ts'
import { dashOf, type DrawContext, numberProp, objectOf, type Option, textStyle } from './draw-context.ts'
import { referenceSeries } from './references.ts'
import { givenColor } from './theme.ts'

/** More dots than this would look like a thick line. */
const maxDots = 40

export function cartesianOption(context: DrawContext): Option {
  const { prepared } = context
  const { isHorizontal } = prepared.shape
  const category = prepared.category!
  const axes = valueAxes(prepared.element, isHorizontal)
  const isBars = prepared.series.some(({ kind }) => kind === 'bar' || kind === 'histogram')
  const along = categoryAxis(context, category, { name: isHorizontal ? 'YAxis' : 'XAxis', hasGap: isBars, hasPointer: true })
  const values = axes.map(({ id, part }) => valueAxis(context, part, { id, isHorizontal }))
  const axisIndex = ({ axisId }: DrawnSeries) => Math.max(0, axes.findIndex(({ id }) => id === axisId))
  const seriesOption = (each: DrawnSeries, at: number): Option => {
    const data = dataOf(context, each, category)
    return {
      ...(each.kind === 'bar' || each.kind === 'histogram' ? barSeries(context, each, at) : lineSeries(context, each, at)),
      [isHorizontal ? 'xAxisIndex' : 'yAxisIndex']: axisIndex(each),
      data,
      ...(data instanceof Float64Array && { dimensions: ['x', 'y'] }),
    }
  }
  return {
    ...(isHorizontal ? { xAxis: values, yAxis: along } : { xAxis: along, yAxis: values }),
    series: [...prepared.series.map(seriesOption), ...referenceSeries(context)],
  }
}

/** Longer series are given as plain numbers where they can be, because ECharts looks into each item of a list. */
const maxItems = 300

function dataOf({ prepared, theme }: DrawContext, series: DrawnSeries, { positions }: Category): unknown[] | Float64Array {
  const { values, kind } = series
  const isLine = kind === 'line' || kind === 'area'
  const { isHorizontal } = prepared.shape
  const needsDot = (at: number) => isLine && series.derivedFrom === null && isAlone(values, at)
  if (isLine && values.length > maxItems && !values.some((_, at) => needsDot(at) || series.colorAt(at) !== null)) {
    return Float64Array.from(values.flatMap((value, at) => {
      const [place, drawn] = [positions ? positions[at]! : at, value ?? Number.NaN]
      return isHorizontal ? [drawn, place] : [place, drawn]
    }))
  }
  return values.map((value, at) => {
    const drawn = value ?? '-'
    const place = positions ? (isHorizontal ? [drawn, positions[at]] : [positions[at], drawn]) : drawn
    const color = givenColor(theme, series.colorAt(at))
    if (color !== null) return { value: place, itemStyle: { color } }
    // A line through one value has no length, so it needs a dot.
    return needsDot(at) ? { value: place, symbol: 'circle', symbolSize: 6 * theme.zoom } : place
  })
}

/** Whether a value has none beside it. */
const isAlone = (values: DrawnSeries['values'], at: number) =>
  values[at] !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null

function lineSeries(context: DrawContext, series: DrawnSeries, at: number): Option {
  const { theme, prepared } = context
  const { part, kind, derivedFrom } = series
  const color = context.colors[at]!
  const fill = kind === 'area' ? (givenColor(theme, textProp(part, 'fill')) ?? color) : color
  const curve = textProp(part, 'type') ?? ''
  const hasDots = part.props['dot'] === false ? false : part.props['dot'] !== undefined || (kind === 'line' && series.values.length <= maxDots)
  const radius = numberProp({ ...part, props: objectOf(part.props['dot']) }, 'r') ?? 2.5
  const dash = derivedFrom === 'trend' ? [6, 4] : dashOf(part)
  const width = (derivedFrom === null ? (numberProp(part, 'strokeWidth') ?? 2) : 1.5) * theme.zoom
  return {
    type: 'line',
    name: clean(series.name),
    ...(series.stackId !== null && { stack: `${kind} ${clean(series.stackId)}` }),
    ...(curve.startsWith('monotone') && derivedFrom !== 'trend' && { smooth: 0.4, smoothMonotone: prepared.shape.isHorizontal ? 'y' : 'x' }),
    ...stepOf(curve),
    connectNulls: part.props['connectNulls'] === true || prepared.element.props['missing'] === 'connect' || derivedFrom !== null,
    symbol: hasDots && derivedFrom === null ? 'circle' : 'none',
    // Without this, ECharts checks each point of a line for a dot that it doesn't have.
    showSymbol: hasDots || series.values.some((_, place) => isAlone(series.values, place)),
    symbolSize: radius * 2 * theme.zoom,
    showAllSymbol: true,
    itemStyle: { color },
    lineStyle: { color, width, opacity: numberProp(part, 'strokeOpacity') ?? 1, ...(dash && { type: dash }) },
    ...(kind === 'area' && derivedFrom === null && { areaStyle: { color: fill, opacity: numberProp(part, 'fillOpacity') ?? 0.25 } }),
    ...labelsOf(context, series, 'top'),
    // Derived lines are drawn above the series they come from.
    ...(derivedFrom !== null && { z: 4 }),
  }
}

function stepOf(curve: string): Option {
  if (curve === 'step') return { step: 'middle' }
  return curve === 'stepAfter' ? { step: 'end' } : curve === 'stepBefore' ? { step: 'start' } : {}
}

function barSeries(context: DrawContext, series: DrawnSeries, at: number): Option {
  const { theme, prepared } = context
  const { part, kind } = series
  const size = numberProp(part, 'barSize')
  const { radius } = part.props
  const corners = typeof radius === 'number' ? radius : Array.isArray(radius) && radius.every((each) => typeof each === 'number') ? radius : 0
  return {
    type: 'bar',
    name: clean(series.name),
    ...(series.stackId !== null && { stack: `bar ${clean(series.stackId)}` }),
    ...(kind === 'histogram' ? { barCategoryGap: '4%' } : { barMaxWidth: (numberProp(part, 'maxBarSize') ?? 64) * theme.zoom }),
    ...(size !== undefined && { barWidth: size * theme.zoom }),
    itemStyle: { color: context.colors[at], opacity: numberProp(part, 'fillOpacity') ?? 1, borderRadius: corners },
    ...labelsOf(context, series, prepared.shape.isHorizontal ? 'right' : 'top'),
  }
}

/** `label` or a `LabelList` writes the exact values beside the marks. */
export function labelsOf({ theme }: DrawContext, series: DrawnSeries, position: string): Option {
  if (!isLabeled(series.part) || series.derivedFrom !== null) return {}
  return {
    label: { ...textStyle(theme), show: true, position, formatter: ({ dataIndex }: { dataIndex: number }) => clean(series.textAt(dataIndex)) },
    labelLayout: { hideOverlap: true },
  }
}

const isLabeled = ({ props, children }: ChartElement) =>
  (props['label'] !== undefined && props['label'] !== false) || children.some(({ name }) => name === 'LabelList')
