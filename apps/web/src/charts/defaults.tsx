import type { ChartElement, PreparedChart } from '@querypost/visualization'
import { axisNumber, shortLabel } from './formats.ts'

/** How things look that the chart does not speak of: in the pages' colours, light and dark. */
export interface Look {
  /** Of the series, or of the part among its siblings. */
  place: number
  pointCount: number
  keys: PreparedChart['keys']
  isLying: boolean
}

type Props = Record<string, unknown>

const seriesColours = 8
export const seriesColour = (place: number) => `var(--series-${(place % seriesColours) + 1})`

/** More dots than these would be a thick line. */
const maxDots = 40
const tick = { fill: 'var(--ink-soft)' }
const quiet = { isAnimationActive: false }
const axis = { stroke: 'var(--line-strong)', tick, tickLine: false, minTickGap: 24 }

export function defaultsFor(part: ChartElement, look: Look): Props {
  const draw = looks.get(part.name)
  return draw ? draw(look, part) : {}
}

const dots = ({ pointCount }: Look) => (pointCount <= maxDots ? { r: 2.5 } : false)

const looks = new Map<string, (look: Look, part: ChartElement) => Props>([
  ['XAxis', (look, part) => ({ ...axis, ...ticksOf(look, part), ...(hasTitle(part) && { height: 46 }) })],
  ['YAxis', (look, part) => ({ ...axis, ...ticksOf(look, part), ...sideOf(look) })],
  ['CartesianGrid', () => ({ stroke: 'var(--line)' })],
  ['Line', (look) => ({ ...quiet, ...line(look), dot: dots(look), activeDot: { r: 4 } })],
  ['Area', (look) => ({ ...quiet, ...line(look), ...area(look), dot: look.pointCount === 1 })],
  ['Bar', (look) => ({ ...quiet, fill: seriesColour(look.place), maxBarSize: 64 })],
  ['Scatter', (look) => ({ ...quiet, fill: seriesColour(look.place), fillOpacity: 0.7 })],
  ['Pie', () => ({ ...quiet, outerRadius: '80%', stroke: 'var(--surface)' })],
  ['Cell', (look) => ({ fill: seriesColour(look.place) })],
  ['Tooltip', () => ({ ...quiet, cursor: { fill: 'var(--raised)', stroke: 'var(--line-strong)', fillOpacity: 0.6 } })],
  // In the order of the series, not of the alphabet.
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
const line = ({ place }: Look) => ({ stroke: seriesColour(place), strokeWidth: 2 })
const area = ({ place }: Look) => ({ fill: seriesColour(place), fillOpacity: 0.25 })
/** Where bars lie, each of them is named: `heightOf` makes room for that. */
const sideOf = ({ isLying }: Look) => ({ width: 'auto', axisLine: isLying, ...(isLying && { interval: 0 }) })

/** Axes of numbers are short (12K); those of moments and names as their labels are, within reason. */
function ticksOf({ keys }: Look, { props, name }: ChartElement): Props {
  const key = typeof props['dataKey'] === 'string' ? keys.get(props['dataKey']) : undefined
  if (key?.use === 'time') return { tickFormatter: (value: number) => key.label(value) }
  const isCategory = (props['type'] ?? (name === 'XAxis' ? 'category' : 'number')) === 'category'
  return { tickFormatter: isCategory ? shortLabel : axisNumber }
}
