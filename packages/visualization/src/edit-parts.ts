import { type ChartElement, type ChartProps, type ChartValue, element } from './chart-element.ts'
import { rightAxis, seriesKind } from './chart-choice.ts'

/** What edits of a chart have in common. Each returns a new chart in which everything else is unchanged. */

/** Null removes the prop. */
export function withProp(part: ChartElement, name: string, value: ChartValue): ChartElement {
  if (value !== null) return { ...part, props: { ...part.props, [name]: value } }
  const props: ChartProps = { ...part.props }
  delete props[name]
  return { ...part, props }
}

/** The place of a part decides its layer: a grid is drawn below everything. */
export function withPart(chart: ChartElement, name: string): ChartElement {
  if (chart.children.some((part) => part.name === name)) return chart
  return insertPart(chart, element(name))
}

export function insertPart(chart: ChartElement, part: ChartElement): ChartElement {
  const firstSeries = chart.children.findIndex((each) => seriesKind(each))
  const beforeSeries = firstSeries === -1 ? chart.children.length : firstSeries
  const place = part.name === 'CartesianGrid' ? 0 : beforeSeries
  return { ...chart, children: chart.children.toSpliced(place, 0, part) }
}

export function withoutParts(chart: ChartElement, isGone: (part: ChartElement) => boolean): ChartElement {
  return { ...chart, children: chart.children.filter((part) => !isGone(part)) }
}

/** Changes the parts that match, by their place among those that match. An empty list removes a part. */
export function mapParts(
  chart: ChartElement,
  matches: (part: ChartElement) => boolean,
  change: (part: ChartElement, place: number) => ChartElement[],
): ChartElement {
  let place = 0
  return { ...chart, children: chart.children.flatMap((part) => (matches(part) ? change(part, place++) : [part])) }
}

export const isRightAxis = ({ name, props }: ChartElement) => name === 'YAxis' && props['yAxisId'] === rightAxis
export const isNamed = (name: string) => (part: ChartElement) => part.name === name
export const isSeries = (part: ChartElement) => seriesKind(part) !== undefined

export const mapSeries = (chart: ChartElement, change: (part: ChartElement, place: number) => ChartElement[]) =>
  mapParts(chart, isSeries, change)

/** The axis of the categories, that of the values, or the second one for values, on the right. */
export type AxisRole = 'category' | 'value' | 'right'

export const isHorizontal = (chart: ChartElement) => chart.props['layout'] === 'vertical'

/** Whether the axis runs along the bottom. */
export const isBelow = (chart: ChartElement, role: AxisRole) => (role === 'category') !== isHorizontal(chart) && role !== 'right'

function isAxis(chart: ChartElement, role: AxisRole): (part: ChartElement) => boolean {
  if (isBelow(chart, role)) return isNamed('XAxis')
  return (part) => part.name === 'YAxis' && isRightAxis(part) === (role === 'right')
}

export const axisOf = (chart: ChartElement, role: AxisRole) => chart.children.find(isAxis(chart, role))

/** Changes an axis, and adds it first where the chart has none. */
export function mapAxis(chart: ChartElement, role: AxisRole, change: (axis: ChartElement) => ChartElement): ChartElement {
  const withAxis = axisOf(chart, role) ? chart : insertPart(chart, element(isBelow(chart, role) ? 'XAxis' : 'YAxis'))
  return mapParts(withAxis, isAxis(chart, role), (axis, place) => [place === 0 ? change(axis) : axis])
}
