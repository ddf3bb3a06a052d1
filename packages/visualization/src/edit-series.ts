import { type ChartElement, element, textProp } from './chart-element.ts'
import {
  type Arrangement, arrangementOf, type ComboPart, kindOf, rightAxis, type SeriesChoice, seriesKind, seriesParts,
} from './chart-choice.ts'
import type { TotalKind } from './column-settings.ts'
import { insertPart, isNamed, isRightAxis, isSeries, mapAxis, mapSeries, withoutParts, withProp } from './edit-parts.ts'
import { colorProps, defaultComboPart, makeRightAxis, seriesProps } from './make-chart.ts'

/** A new series joins the stack and the split, if there are any. */
export function addSeries(chart: ChartElement, choice: SeriesChoice): ChartElement {
  const kind = kindOf(chart)
  const series = chart.children.filter(isSeries)
  const drawnAs = kind === 'combo' ? (choice.drawnAs ?? defaultComboPart(series.length)) : kind
  const { stackId, seriesKey, topN } = series[0]?.props ?? {}
  const props = {
    ...seriesProps(drawnAs, choice),
    ...(stackId !== undefined && { stackId }),
    ...(seriesKey !== undefined && { seriesKey }),
    ...(topN !== undefined && { topN }),
  }
  const added = { ...chart, children: [...chart.children, element(seriesParts[drawnAs], props)] }
  const withColumn = kind === 'scatter' ? mapAxis(added, 'value', (axis) => withProp(axis, 'dataKey', choice.key)) : added
  return choice.isOnRight ? editSeries(withColumn, series.length, { isOnRight: true }) : withColumn
}

export function removeSeries(chart: ChartElement, at: number): ChartElement {
  return withNeededAxes(mapSeries(chart, (part, place) => (place === at ? [] : [part])))
}

/** An empty name or color removes the given one, so that the default is used. */
export type SeriesChange = Partial<Record<'key' | 'name' | 'color', string>> & {
  drawnAs?: ComboPart
  isOnRight?: boolean
  aggregate?: TotalKind
}

export function editSeries(chart: ChartElement, at: number, change: SeriesChange): ChartElement {
  const { key } = change
  const edited = withNeededAxes(mapSeries(chart, (part, place) => [place === at ? editPart(part, change) : part]))
  if (key === undefined || chart.name !== 'ScatterChart') return edited
  return mapAxis(edited, 'value', (axis) => withProp(axis, 'dataKey', key))
}

const given = (text: string) => (text === '' ? null : text)

function editPart(part: ChartElement, { key, name, color, drawnAs, isOnRight, aggregate }: SeriesChange): ChartElement {
  let result = part
  if (drawnAs !== undefined) result = drawAs(result, drawnAs)
  if (key !== undefined && seriesKind(part) !== 'scatter') result = withProp(result, 'dataKey', key)
  if (name !== undefined) result = withProp(result, 'name', given(name))
  if (color !== undefined) result = withColor(result, color)
  if (isOnRight !== undefined) result = withProp(result, 'yAxisId', isOnRight ? rightAxis : null)
  return aggregate === undefined ? result : withProp(result, 'aggregate', aggregate)
}

function withColor(part: ChartElement, color: string): ChartElement {
  const names = Object.keys(colorProps(seriesKind(part)!, color))
  return names.reduce((before, name) => withProp(before, name, given(color)), part)
}

/** The same series as a line, as bars or as an area, with its color. */
export function drawAs(part: ChartElement, drawnAs: ComboPart): ChartElement {
  const kind = seriesKind(part)!
  if (kind === drawnAs) return part
  const { stroke, fill, type: _type, ...rest } = part.props
  const color = (kind === 'line' ? undefined : fill) ?? stroke
  const { dataKey, name, ...others } = rest
  const choice = { key: '', color: typeof color === 'string' ? color : undefined }
  const { dataKey: _key, ...drawn } = seriesProps(drawnAs, choice)
  const named = { ...(dataKey !== undefined && { dataKey }), ...(name !== undefined && { name }) }
  return { ...part, name: seriesParts[drawnAs], props: { ...named, ...drawn, ...others } }
}

/** The axis on the right is there while a series uses it. */
function withNeededAxes(chart: ChartElement): ChartElement {
  if (kindOf(chart) !== 'combo') return chart
  const isNeeded = chart.children.some((part) => isSeries(part) && part.props['yAxisId'] === rightAxis)
  if (!isNeeded) return withoutParts(chart, isRightAxis)
  if (chart.children.some(isRightAxis)) return chart
  const place = chart.children.findLastIndex(isNamed('YAxis'))
  if (place === -1) return insertPart(insertPart(chart, element('YAxis')), makeRightAxis())
  return { ...chart, children: chart.children.toSpliced(place + 1, 0, makeRightAxis()) }
}

/** Side by side, on top of each other, or as shares of the whole. */
export function setArrangement(chart: ChartElement, arrangement: Arrangement): ChartElement {
  const isStacked = arrangement !== 'grouped'
  const kept = arrangementOf(chart) !== 'grouped'
  const stacked = mapSeries(chart, (part) => [isStacked && kept ? part : withProp(part, 'stackId', isStacked ? 'all' : null)])
  return withProp(stacked, 'stackOffset', arrangement === 'expanded' ? 'expand' : null)
}

/** The series with the largest sums are drawn, and the others combined; null for the default. */
export function setTopN(chart: ChartElement, topN: number | null): ChartElement {
  return mapSeries(chart, (part) => [withProp(part, 'topN', topN)])
}

export const readTopN = (chart: ChartElement) => numberOfSeries(chart, 'topN')

/** A straight line through all values of each series. */
export function setTrend(chart: ChartElement, isThere: boolean): ChartElement {
  return mapSeries(chart, (part) => [withProp(part, 'trend', isThere ? 'linear' : null)])
}

export function hasTrend(chart: ChartElement): boolean {
  const series = chart.children.filter(isSeries)
  return series.length > 0 && series.every((part) => textProp(part, 'trend') === 'linear')
}

/** The average of each value and those before it, as many as given; null for none. */
export function setMovingAverage(chart: ChartElement, points: number | null): ChartElement {
  return mapSeries(chart, (part) => [withProp(part, 'movingAverage', points)])
}

export const readMovingAverage = (chart: ChartElement) => numberOfSeries(chart, 'movingAverage')

/** The number of bars of a histogram; null for the default. */
export function setBins(chart: ChartElement, bins: number | null): ChartElement {
  return mapSeries(chart, (part) => [withProp(part, 'bins', bins)])
}

export const readBins = (chart: ChartElement) => numberOfSeries(chart, 'bins')

function numberOfSeries(chart: ChartElement, name: string): number | null {
  const value = chart.children.find(isSeries)?.props[name]
  return typeof value === 'number' ? value : null
}
