import { type ChartElement, type ChartProps, type ChartValue, element } from './chart-element.ts'
import { colorProps, partNames, type SeriesChoice, seriesProps } from './make-chart.ts'
import { readShape, seriesKindOf } from './shape.ts'

/**
 * Changes to a chart, one at a time, for whoever builds it with a form. Each gives a new chart in which everything else
 * stands as it stood: props and parts that the form knows nothing of are kept.
 */

/** Why a form cannot show this chart as it is; null when it can. */
export function whyNotEditable(chart: ChartElement): string | null {
  const { kind, isLying, series } = readShape(chart)
  const count = (name: string) => chart.children.filter((part) => part.name === name).length
  if (kind === 'composed') return 'It mixes several types of series.'
  if (count('XAxis') > 1 || count('YAxis') > 1) return 'It has more than one axis on a side.'
  if (series.some((each) => each.kind !== kind)) return `It has other series than those of a ${kind} chart.`
  if (kind === 'pie' && series.length > 1) return 'It has more than one ring.'
  if (kind === 'scatter' && series.length > 1) return 'It has more than one cloud of points.'
  return isLying && kind !== 'bar' ? 'Its categories run down the side.' : null
}

export function setCategory(chart: ChartElement, key: string | null): ChartElement {
  const { kind, isLying } = readShape(chart)
  if (kind === 'pie') return mapParts(chart, 'Pie', (pie) => withProp(pie, 'nameKey', key))
  const name = isLying ? 'YAxis' : 'XAxis'
  return mapParts(withPart(chart, name), name, (axis) => withProp(axis, 'dataKey', key))
}

/** A new series joins the stack, if there is one. */
export function addSeries(chart: ChartElement, choice: SeriesChoice): ChartElement {
  const { kind, series } = readShape(chart)
  if (kind === 'composed') return chart
  const stackId = series[0]?.part.props['stackId']
  const props = { ...seriesProps(kind, choice), ...(stackId !== undefined && { stackId }) }
  return { ...chart, children: [...chart.children, element(partNames[kind], props)] }
}

export function removeSeries(chart: ChartElement, at: number): ChartElement {
  return mapSeries(chart, (part, place) => (place === at ? [] : [part]))
}

/** An empty name or colour takes away what was given, so that the usual one is used. */
export type SeriesChange = Partial<Record<'key' | 'name' | 'color', string>>

export function editSeries(chart: ChartElement, at: number, change: SeriesChange): ChartElement {
  const { key } = change
  const edited = mapSeries(chart, (part, place) => [place === at ? editPart(part, change) : part])
  if (key === undefined || chart.name !== 'ScatterChart') return edited
  return mapParts(withPart(edited, 'YAxis'), 'YAxis', (axis) => withProp(axis, 'dataKey', key))
}

const given = (text: string) => (text === '' ? null : text)

function editPart(part: ChartElement, { key, name, color }: SeriesChange): ChartElement {
  const kind = seriesKindOf(part)!
  let result = part
  if (key !== undefined && kind !== 'scatter') result = withProp(result, 'dataKey', key)
  if (name !== undefined) result = withProp(result, 'name', given(name))
  if (color === undefined) return result
  return Object.keys(colorProps(kind, color)).reduce((before, prop) => withProp(before, prop, given(color)), result)
}

export function isStacked(chart: ChartElement): boolean {
  const { series } = readShape(chart)
  return series.length > 1 && series.every(({ stackId }) => stackId !== null && stackId === series[0]!.stackId)
}

export function setStacked(chart: ChartElement, stacked: boolean): ChartElement {
  return mapSeries(chart, (part) => [withProp(part, 'stackId', stacked ? 'all' : null)])
}

/** Bars that lie: the axes change places, and what they were told goes with them. */
export function setLying(chart: ChartElement, lying: boolean): ChartElement {
  const { isLying, categoryTitle, valueTitle } = readShape(chart)
  if (isLying === lying) return chart
  const children = inOrder(chart.children.map((part) => turned(part, lying)))
  const made = withProp({ ...chart, children }, 'layout', lying ? 'vertical' : null)
  return setTitle(setTitle(made, 'category', categoryTitle ?? ''), 'value', valueTitle ?? '')
}

const otherAxis = new Map([['XAxis', 'YAxis'], ['YAxis', 'XAxis']])

/** The x axis before the y axis, as is usual; all other parts where they are. */
function inOrder(parts: ChartElement[]): ChartElement[] {
  const axes = parts.filter(({ name }) => otherAxis.has(name)).toSorted((a, b) => a.name.localeCompare(b.name))
  return parts.map((part) => (otherAxis.has(part.name) ? axes.shift()! : part))
}

function turned(part: ChartElement, lying: boolean): ChartElement {
  if (part.name === 'CartesianGrid') {
    const { horizontal = null, vertical = null } = part.props
    return withProp(withProp(part, 'horizontal', vertical), 'vertical', horizontal)
  }
  const name = otherAxis.get(part.name)
  if (name === undefined) return part
  // Sizes and titles belong to the side they were made for.
  const { type: _type, width: _width, height: _height, label: _label, ...rest } = part.props
  const isCategory = (part.name === 'XAxis') === lying
  return { ...part, name, props: { ...(lying && { type: isCategory ? 'category' : 'number' }), ...rest } }
}

export function setTitle(chart: ChartElement, of: 'category' | 'value', text: string): ChartElement {
  const isBelow = (of === 'category') !== readShape(chart).isLying
  const name = isBelow ? 'XAxis' : 'YAxis'
  const label = isBelow
    ? { value: text, position: 'insideBottom' }
    : { value: text, angle: -90, position: 'insideLeft' }
  return mapParts(text === '' ? chart : withPart(chart, name), name, (axis) => {
    const children = axis.children.filter((part) => part.name !== 'Label')
    return withProp({ ...axis, children }, 'label', text === '' ? null : label)
  })
}

/** Puts a part in, or takes it out. */
export function setPart(chart: ChartElement, name: 'Legend' | 'CartesianGrid', isThere: boolean): ChartElement {
  if (isThere) return withPart(chart, name)
  return { ...chart, children: chart.children.filter((part) => part.name !== name) }
}

/** Where a part is drawn depends on its place: a grid lies under everything. */
function withPart(chart: ChartElement, name: string): ChartElement {
  if (chart.children.some((part) => part.name === name)) return chart
  const firstSeries = chart.children.findIndex((part) => seriesKindOf(part))
  const beforeSeries = firstSeries === -1 ? chart.children.length : firstSeries
  const place = name === 'CartesianGrid' ? 0 : beforeSeries
  return { ...chart, children: chart.children.toSpliced(place, 0, element(name)) }
}

/** Null takes the prop away. */
function withProp(part: ChartElement, name: string, value: ChartValue): ChartElement {
  if (value !== null) return { ...part, props: { ...part.props, [name]: value } }
  const props: ChartProps = { ...part.props }
  delete props[name]
  return { ...part, props }
}

function mapParts(chart: ChartElement, name: string, change: (part: ChartElement) => ChartElement): ChartElement {
  return { ...chart, children: chart.children.map((part) => (part.name === name ? change(part) : part)) }
}

function mapSeries(chart: ChartElement, change: (part: ChartElement, place: number) => ChartElement[]): ChartElement {
  let place = 0
  const children = chart.children.flatMap((part) => (seriesKindOf(part) ? change(part, place++) : [part]))
  return { ...chart, children }
}
