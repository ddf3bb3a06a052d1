import { type PreparedChart, textProp } from '@querypost/visualization'
import { scaleLinear, scaleUtc } from 'd3-scale'
import type { Box } from './frame.ts'
import { colorOr } from './palette.ts'
import { colors, tag, text } from './svg.ts'

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const axisSize = 18

/** Points given by two numbers. */
export function drawScatter({ element, points, keys, shape }: PreparedChart, box: Box): string {
  const keyOf = (name: string) => {
    const axis = element.children.find((part) => part.name === name)
    return (axis && textProp(axis, 'dataKey')) ?? 'missing'
  }
  const [xKey, yKey] = [keyOf('XAxis'), keyOf('YAxis')]
  const isLabeled = keys.get(xKey)?.use === 'label'
  const places = points.flatMap((point, at) => {
    const [x, y] = [isLabeled ? at : point[xKey], point[yKey]]
    return typeof x === 'number' && typeof y === 'number' ? [{ x, y }] : []
  })
  const inner = { ...box, left: box.left + 84, right: box.right - 12, bottom: box.bottom - 60 }
  const xDomain = extentOf(places.map((each) => each.x))
  const x = scaleLinear().domain(xDomain).range([inner.left, inner.right])
  const isTimeAxis = keys.get(xKey)?.use === 'time'
  const xTicksAt = isTimeAxis ? scaleUtc().domain(xDomain).ticks(6).map(Number) : x.ticks(6)
  const y = scaleLinear().domain(extentOf(places.map((each) => each.y))).nice(5).range([inner.bottom, inner.top])
  const yTicks = y.ticks(5).map((tick) => {
    const at = y(tick)
    return (
      tag('line', { x1: inner.left, x2: inner.right, y1: at, y2: at, stroke: colors.line }) +
      text(compact.format(tick), { x: inner.left - 12, y: at + 6, size: axisSize, color: colors.soft, anchor: 'end' })
    )
  })
  const labelAt = (tick: number) => (isTimeAxis ? keys.get(xKey)!.label(tick) : compact.format(tick))
  const xTicks = xTicksAt.map((tick) =>
    text(labelAt(tick), { x: x(tick), y: inner.bottom + 28, size: axisSize, color: colors.soft, anchor: 'middle' }),
  )
  const title = shape.categoryTitle ?? shape.categoryKey ?? ''
  const titleAt = { x: (inner.left + inner.right) / 2, y: inner.bottom + 56, anchor: 'middle' } as const
  const dots = places.map((each) => tag('circle', { cx: x(each.x), cy: y(each.y), r: 6 }))
  const color = colorOr(shape.series[0]?.color, 0)
  return [
    ...yTicks,
    ...xTicks,
    text(title, { ...titleAt, size: axisSize, color: colors.soft, maxWidth: 800 }),
    tag('g', { fill: color, 'fill-opacity': 0.6 }, ...dots),
  ].join('')
}

function extentOf(values: number[]): [number, number] {
  if (values.length === 0) return [0, 1]
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return least === most ? [least - 1, most + 1] : [least, most]
}
