import { type ChartElement, type ChartProps, type ChartValue, element } from './chart-element.ts'
import { colorProps, partNames, type SeriesChoice, seriesProps } from './make-chart.ts'
import { readShape, seriesKindOf } from './shape.ts'

/**
 * Edits of a chart, one at a time, for a form. Each returns a new chart in which everything else is unchanged: props and parts that
 * the form does not know are kept.
 */

/** Why a form cannot edit this chart; null if it can. */
export function whyNotEditable(chart: ChartElement): string | null {
  const { kind, isHorizontal, series } = readShape(chart)
  const count = (name: string) => chart.children.filter((part) => part.name === name).length
  if (kind === 'composed') return 'It mixes several types of series.'
  if (count('XAxis') > 1 || count('YAxis') > 1) return 'It has more than one axis on a side.'
  if (series.some((each) => each.kind !== kind)) return `It has series that do not belong to a ${kind} chart.`
  if (kind === 'pie' && series.length > 1) return 'It has more than one ring.'
  if (kind === 'scatter' && series.length > 1) return 'It has more than one cloud of points.'
  return isHorizontal && kind !== 'bar' ? 'It is horizontal.' : null
}

export function setCategory(chart: ChartElement, key: string | null): ChartElement {
  const { kind, isHorizontal } = readShape(chart)
  if (kind === 'pie') return mapParts(chart, 'Pie', (pie) => withProp(pie, 'nameKey', key))
  const name = isHorizontal ? 'YAxis' : 'XAxis'
  return mapParts(withPart(chart, name), name, (axis) => withProp(axis, 'dataKey', key))
}

/** A new series joins the stack, if there is one. */
export function addSeries(chart: ChartElement, choice: SeriesChoice): ChartElement {
  const { kind, series } = readShape(chart)
  if (kind === 'composed' || kind === 'number' || kind === 'pivot') return chart
  const stackId = series[0]?.part.props['stackId']
  const props = { ...seriesProps(kind, choice), ...(stackId !== undefined && { stackId }) }
  return { ...chart, children: [...chart.children, element(partNames[kind], props)] }
}

export function removeSeries(chart: ChartElement, at: number): ChartElement {
  return mapSeries(chart, (part, place) => (place === at ? [] : [part]))
}

/** An empty name or color removes the given one, so that the default is used. */
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

/** Makes bars horizontal or vertical: the axes swap places, and their settings go with them. */
export function setHorizontal(chart: ChartElement, toHorizontal: boolean): ChartElement {
  const { isHorizontal, categoryTitle, valueTitle } = readShape(chart)
  if (isHorizontal === toHorizontal) return chart
  const children = inOrder(chart.children.map((part) => swappedAxes(part, toHorizontal)))
  const made = withProp({ ...chart, children }, 'layout', toHorizontal ? 'vertical' : null)
  return setTitle(setTitle(made, 'category', categoryTitle ?? ''), 'value', valueTitle ?? '')
}

const otherAxis = new Map([['XAxis', 'YAxis'], ['YAxis', 'XAxis']])

/** The x axis before the y axis, as is usual; all other parts stay in place. */
function inOrder(parts: ChartElement[]): ChartElement[] {
  const axes = parts.filter(({ name }) => otherAxis.has(name)).toSorted((a, b) => a.name.localeCompare(b.name))
  return parts.map((part) => (otherAxis.has(part.name) ? axes.shift()! : part))
}

function swappedAxes(part: ChartElement, toHorizontal: boolean): ChartElement {
  if (part.name === 'CartesianGrid') {
    const { horizontal = null, vertical = null } = part.props
    return withProp(withProp(part, 'horizontal', vertical), 'vertical', horizontal)
  }
  const name = otherAxis.get(part.name)
  if (name === undefined) return part
  // Sizes and titles belong to the side they were made for.
  const { type: _type, width: _width, height: _height, label: _label, ...rest } = part.props
  const isCategory = (part.name === 'XAxis') === toHorizontal
  return { ...part, name, props: { ...(toHorizontal && { type: isCategory ? 'category' : 'number' }), ...rest } }
}

export function setTitle(chart: ChartElement, of: 'category' | 'value', text: string): ChartElement {
  const isBelow = (of === 'category') !== readShape(chart).isHorizontal
  const name = isBelow ? 'XAxis' : 'YAxis'
  const label = isBelow
    ? { value: text, position: 'insideBottom' }
    : { value: text, angle: -90, position: 'insideLeft' }
  return mapParts(text === '' ? chart : withPart(chart, name), name, (axis) => {
    const children = axis.children.filter((part) => part.name !== 'Label')
    return withProp({ ...axis, children }, 'label', text === '' ? null : label)
  })
}

/** Adds or removes a part. */
export function setPart(chart: ChartElement, name: 'Legend' | 'CartesianGrid', isThere: boolean): ChartElement {
  if (isThere) return withPart(chart, name)
  return { ...chart, children: chart.children.filter((part) => part.name !== name) }
}

/** The place of a part decides its layer: a grid is drawn below everything. */
function withPart(chart: ChartElement, name: string): ChartElement {
  if (chart.children.some((part) => part.name === name)) return chart
  const firstSeries = chart.children.findIndex((part) => seriesKindOf(part))
  const beforeSeries = firstSeries === -1 ? chart.children.length : firstSeries
  const place = name === 'CartesianGrid' ? 0 : beforeSeries
  return { ...chart, children: chart.children.toSpliced(place, 0, element(name)) }
}

/** Null removes the prop. */
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
