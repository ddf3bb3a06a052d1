import { type ChartElement, isPercent, type PreparedChart } from '@querypost/visualization'
import { axisNumber, axisPercent, shortLabel } from './formats.ts'

/** The context of an element for which the chart's JSX leaves the appearance open. */
export interface ElementContext {
  /** The index of the series, or of the element among its siblings. */
  index: number
  pointCount: number
  keys: PreparedChart['keys']
  isHorizontal: boolean
}

type Props = Record<string, unknown>

const seriesColorCount = 8
export const seriesColor = (index: number) => `var(--series-${(index % seriesColorCount) + 1})`

/** More dots than this would look like a thick line. */
const maxDots = 40
const tick = { fill: 'var(--ink-soft)' }
const still = { isAnimationActive: false }
const axis = { stroke: 'var(--line-strong)', tick, tickLine: false, minTickGap: 24 }

export function defaultsFor(part: ChartElement, context: ElementContext): Props {
  const defaults = defaultProps.get(part.name)
  return defaults ? defaults(context, part) : {}
}

const dots = ({ pointCount }: ElementContext) => (pointCount <= maxDots ? { r: 2.5 } : false)

const defaultProps = new Map<string, (context: ElementContext, part: ChartElement) => Props>([
  ['XAxis', (context, part) => ({ ...axis, ...ticksOf(context, part), ...(hasTitle(part) && { height: 46 }) })],
  ['YAxis', (context, part) => ({ ...axis, ...ticksOf(context, part), ...sideOf(context) })],
  ['CartesianGrid', () => ({ stroke: 'var(--line)' })],
  ['Line', (context) => ({ ...still, ...line(context), dot: dots(context), activeDot: { r: 4 } })],
  ['Area', (context) => ({ ...still, ...line(context), ...area(context), dot: context.pointCount === 1 })],
  ['Bar', (context) => ({ ...still, fill: seriesColor(context.index), maxBarSize: 64 })],
  ['Scatter', (context) => ({ ...still, fill: seriesColor(context.index), fillOpacity: 0.7 })],
  ['Pie', () => ({ ...still, outerRadius: '80%', stroke: 'var(--surface)' })],
  ['Cell', (context) => ({ fill: seriesColor(context.index) })],
  ['Tooltip', () => ({ ...still, cursor: { fill: 'var(--raised)', stroke: 'var(--line-strong)', fillOpacity: 0.6 } })],
  // In the order of the series, not alphabetical.
  ['Legend', () => ({ iconSize: 10, itemSorter: null, formatter: inInk })],
  ['ReferenceLine', () => ({ stroke: 'var(--ink-soft)', strokeDasharray: '4 4' })],
  ['ReferenceArea', () => ({ fill: 'var(--ink-soft)', fillOpacity: 0.12 })],
  ['ReferenceDot', () => ({ fill: 'var(--ink-soft)', r: 4 })],
  ['LabelList', () => ({ fill: 'var(--ink)' })],
  ['Label', () => ({ fill: 'var(--ink-soft)' })],
  ['ErrorBar', () => ({ stroke: 'var(--ink-soft)' })],
  ['Brush', () => ({ stroke: 'var(--line-strong)', fill: 'var(--surface)', height: 24, travellerWidth: 8 })],
])

const inInk = (name: string) => <span className="text-ink">{name}</span>
const hasTitle = ({ props }: ChartElement) => props['label'] !== undefined
const line = ({ index }: ElementContext) => ({ stroke: seriesColor(index), strokeWidth: 2 })
const area = ({ index }: ElementContext) => ({ fill: seriesColor(index), fillOpacity: 0.25 })
/** Horizontal bars are all labeled; `heightOf` makes room for that. */
const sideOf = ({ isHorizontal }: ElementContext) => ({ width: 'auto', axisLine: isHorizontal, ...(isHorizontal && { interval: 0 }) })

/** Numbers on axes are compact (12K); times and names use their labels, shortened if needed. */
function ticksOf({ keys }: ElementContext, { props, name }: ChartElement): Props {
  const key = typeof props['dataKey'] === 'string' ? keys.get(props['dataKey']) : undefined
  if (key?.use === 'time') return { tickFormatter: (value: number) => key.label(value) }
  const isCategory = (props['type'] ?? (name === 'XAxis' ? 'category' : 'number')) === 'category'
  return { tickFormatter: isCategory ? shortLabel : hasOnlyPercents(keys) ? axisPercent : axisNumber }
}

/** Whether all numbers of the chart are percentages, so that its axis can say so. */
function hasOnlyPercents(keys: ElementContext['keys']): boolean {
  const numbers = [...keys.values()].filter(({ use }) => use === 'number')
  return numbers.length > 0 && numbers.every(({ column }) => isPercent(column.field))
}
