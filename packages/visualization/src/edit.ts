import { type ChartElement, element } from './chart-element.ts'
import { canSplit, type ChartKind, hasManySeries, hasNameKey, isCartesian, kindOf, rightAxis, seriesKind } from './chart-choice.ts'
import {
  type AxisRole, axisOf, isBelow, isHorizontal, isNamed, isSeries, mapAxis, mapParts, mapSeries, withoutParts, withPart, withProp,
} from './edit-parts.ts'
import { titleOf } from './shape.ts'

/**
 * Edits of a chart, one at a time, for a form. Each returns a new chart in which everything else is unchanged: props and parts that
 * the form does not know are kept.
 */

/** Why a form cannot edit this chart; null if it can. */
export function whyNotEditable(chart: ChartElement): string | null {
  const kind = kindOf(chart)
  const axes = (name: string) => chart.children.filter(isNamed(name))
  const valueAxes = axes('YAxis').filter(({ props }) => kind !== 'combo' || props['yAxisId'] !== rightAxis)
  if (axes('XAxis').length > 1 || valueAxes.length > 1 || axes('YAxis').length > 2) return 'It has more than one axis on a side.'
  const series = chart.children.filter(isSeries)
  if (series.some((part) => !belongsTo(kind, part))) return `It has series that do not belong to a ${kind} chart.`
  if (series.length > 1 && !hasManySeries(kind)) return `It has more than one ${singleSeries[kind] ?? 'series'}.`
  if (new Set(series.map(({ props }) => props['seriesKey'])).size > 1) return 'Its series are split by different columns.'
  return isHorizontal(chart) && kind !== 'bar' ? 'It is horizontal.' : null
}

function belongsTo(kind: ChartKind, part: ChartElement): boolean {
  const partKind = seriesKind(part)!
  return kind === 'combo' ? isCartesian(partKind) : partKind === kind
}

const singleSeries: Partial<Record<ChartKind, string>> = { pie: 'ring', scatter: 'cloud of points', number: 'number' }

/** Names the column that values are shown against. A histogram has none. */
export function setCategory(chart: ChartElement, key: string | null): ChartElement {
  const kind = kindOf(chart)
  if (kind === 'histogram') return chart
  if (hasNameKey(kind)) return mapSeries(chart, (part) => [withProp(part, 'nameKey', key)])
  if (kind === 'number') return mapSeries(chart, (part) => [withTime(part, key)])
  if (kind === 'pivot') return setFirst(chart, 'PivotRow', key)
  return mapAxis(chart, 'category', (axis) => withProp(axis, 'dataKey', key))
}

/** Without a time there is nothing to compare with, and no course to draw. */
function withTime(part: ChartElement, key: string | null): ChartElement {
  const timed = withProp(part, 'timeKey', key)
  return key === null ? withProp(withProp(timed, 'compare', null), 'sparkline', null) : timed
}

/** Names the column that has one series per value; null draws each column as one series. */
export function setSplit(chart: ChartElement, key: string | null): ChartElement {
  const kind = kindOf(chart)
  if (kind === 'heatmap') return mapAxis(chart, 'value', (axis) => withProp(axis, 'dataKey', key))
  if (kind === 'pivot') return setFirst(chart, 'PivotColumn', key)
  if (!canSplit(chart)) return chart
  return mapSeries(chart, (part) => {
    const split = withProp(part, 'seriesKey', key)
    return [key === null ? withProp(split, 'topN', null) : split]
  })
}

/** Names the column for the size of a scatter chart's points. */
export function setSize(chart: ChartElement, key: string | null): ChartElement {
  if (key === null) return withoutParts(chart, isNamed('ZAxis'))
  return mapParts(withPart(chart, 'ZAxis'), isNamed('ZAxis'), (axis) => [withProp(axis, 'dataKey', key)])
}

/** The first part of this name takes the column; without a column, all of them go. */
function setFirst(chart: ChartElement, name: string, key: string | null): ChartElement {
  if (key === null) return withoutParts(chart, isNamed(name))
  if (chart.children.some(isNamed(name))) {
    return mapParts(chart, isNamed(name), (part, place) => [place === 0 ? withProp(part, 'dataKey', key) : part])
  }
  const place = name === 'PivotRow' ? 0 : chart.children.findLastIndex(isNamed('PivotRow')) + 1
  return { ...chart, children: chart.children.toSpliced(place, 0, element(name, { dataKey: key })) }
}

/** Makes bars horizontal or vertical: the axes swap places, and their settings and lines go with them. */
export function setHorizontal(chart: ChartElement, toHorizontal: boolean): ChartElement {
  if (isHorizontal(chart) === toHorizontal) return chart
  const [categoryTitle, valueTitle] = [readTitle(chart, 'category'), readTitle(chart, 'value')]
  const children = inOrder(chart.children.map((part) => turned(part, toHorizontal)))
  const made = withProp({ ...chart, children }, 'layout', toHorizontal ? 'vertical' : null)
  return setTitle(setTitle(made, 'category', categoryTitle ?? ''), 'value', valueTitle ?? '')
}

const otherAxis = new Map([['XAxis', 'YAxis'], ['YAxis', 'XAxis']])

/** The x axis before the y axis, as is usual; all other parts stay in place. */
function inOrder(parts: ChartElement[]): ChartElement[] {
  const axes = parts.filter(({ name }) => otherAxis.has(name)).toSorted((a, b) => a.name.localeCompare(b.name))
  return parts.map((part) => (otherAxis.has(part.name) ? axes.shift()! : part))
}

function turned(part: ChartElement, toHorizontal: boolean): ChartElement {
  if (part.name === 'CartesianGrid') return swappedProps(part, 'horizontal', 'vertical')
  if (part.name === 'ReferenceLine') return swappedProps(part, 'x', 'y')
  const name = otherAxis.get(part.name)
  if (name === undefined) return part
  // Sizes and titles belong to the side they were made for.
  const { type: _type, width: _width, height: _height, label: _label, ...rest } = part.props
  const isCategory = (part.name === 'XAxis') === toHorizontal
  return { ...part, name, props: { ...(toHorizontal && { type: isCategory ? 'category' : 'number' }), ...rest } }
}

function swappedProps(part: ChartElement, one: string, other: string): ChartElement {
  const { [one]: first = null, [other]: second = null } = part.props
  return withProp(withProp(part, one, second), other, first)
}

export const readTitle = (chart: ChartElement, role: AxisRole) => titleOf(axisOf(chart, role))

export function setTitle(chart: ChartElement, role: AxisRole, text: string): ChartElement {
  if (text === '' && !axisOf(chart, role)) return chart
  return mapAxis(chart, role, (axis) => {
    const children = axis.children.filter((part) => part.name !== 'Label')
    return withProp({ ...axis, children }, 'label', text === '' ? null : { value: text, ...titlePlace(chart, role) })
  })
}

function titlePlace(chart: ChartElement, role: AxisRole) {
  if (isBelow(chart, role)) return { position: 'insideBottom' }
  return role === 'right' ? { angle: 90, position: 'insideRight' } : { angle: -90, position: 'insideLeft' }
}

/** Adds or removes a part. */
export function setPart(chart: ChartElement, name: 'Legend' | 'CartesianGrid', isThere: boolean): ChartElement {
  return isThere ? withPart(chart, name) : withoutParts(chart, isNamed(name))
}

export const hasPart = (chart: ChartElement, name: 'Legend' | 'CartesianGrid') => chart.children.some(isNamed(name))
