import { type PreparedChart, textProp } from '@querypost/visualization'
import { scaleBand, scaleLinear } from 'd3-scale'
import { drawCategories, drawGrid, tickSize } from './axes.ts'
import { type Band, bandsOf } from './bands.ts'
import type { Box } from './frame.ts'
import { legend } from './legend.ts'
import { drawBars, drawLine, type Plane } from './marks.ts'
import { colorOr } from './palette.ts'
import { widthOf } from './svg.ts'

/** Lines, bars and areas over categories, vertical or horizontal. */
export function drawCartesian(prepared: PreparedChart, box: Box): string {
  const { shape } = prepared
  const named = shape.series.map(({ name, color }, at) => ({ name, color: colorOr(color, at) }))
  const top = legend(named.length > 1 || shape.hasLegend ? named : [], box)
  const bands = bandsOf(prepared)
  const labels = labelsOf(prepared)
  const inner = innerBox(top.box, { labels, isHorizontal: shape.isHorizontal })
  const plane = makePlane(prepared, { bands, inner })
  const stackOf = (at: number) => shape.series[at]!.stackId ?? `own ${at}`
  const stacks = [...new Set(shape.series.flatMap(({ kind }, at) => (kind === 'bar' ? [stackOf(at)] : [])))]
  const drawn = shape.series.map(({ kind, part }, at) => {
    const { color } = named[at]!
    const slot = { at: stacks.indexOf(stackOf(at)), of: stacks.length }
    if (kind === 'bar') return drawBars(plane, { bands: bands[at]!, color, slot })
    const isCurved = textProp(part, 'type')?.startsWith('monotone') ?? false
    return drawLine(plane, { bands: bands[at]!, color, isArea: kind === 'area', isCurved })
  })
  return [top.svg, drawGrid(plane), ...drawn, drawCategories(plane, labels)].join('')
}

function categoryKey({ element, shape }: PreparedChart): string | undefined {
  const axis = element.children.find(({ name }) => name === (shape.isHorizontal ? 'YAxis' : 'XAxis'))
  return axis && textProp(axis, 'dataKey')
}

function labelsOf(prepared: PreparedChart): string[] {
  const key = categoryKey(prepared)
  return prepared.points.map((point, at) => {
    const value = key === undefined ? String(at + 1) : point[key]
    return typeof value === 'number' ? (prepared.keys.get(key!)?.label(value) ?? String(value)) : (value ?? '')
  })
}

function innerBox(box: Box, { labels, isHorizontal }: { labels: string[]; isHorizontal: boolean }): Box {
  const widest = labels.reduce((most, label) => Math.max(most, widthOf(label, { size: tickSize })), 0)
  const left = box.left + (isHorizontal ? Math.min(340, widest + 16) : 84)
  return { ...box, left, right: box.right - 12, bottom: box.bottom - 34 }
}

function makePlane(prepared: PreparedChart, { bands, inner }: { bands: Band[][]; inner: Box }): Plane {
  const { points, shape } = prepared
  const { isHorizontal } = shape
  const along: [number, number] = isHorizontal ? [inner.top, inner.bottom] : [inner.left, inner.right]
  const slots = scaleBand<number>().domain([...points.keys()]).range(along).padding(0.2)
  const value = scaleLinear()
    .domain(domainOf(bands))
    .nice(5)
    .range(isHorizontal ? [inner.left, inner.right] : [inner.bottom, inner.top])
  const placed = placesOf(prepared)
  const exactScale = placed && scaleLinear().domain([Math.min(...placed), Math.max(...placed)]).range(along)
  return {
    inner,
    isHorizontal,
    value,
    slotAt: (at) => ({ start: slots(at)!, size: slots.bandwidth() }),
    middleAt: (at) => (exactScale ? exactScale(placed[at]!) : slots(at)! + slots.bandwidth() / 2),
  }
}

/** Positions on a numeric or time axis. Undefined with bars, which are evenly spaced. */
function placesOf(prepared: PreparedChart): number[] | undefined {
  const key = categoryKey(prepared)
  if (key === undefined) return undefined
  const places = prepared.points.map((point) => point[key]).filter((value) => typeof value === 'number')
  const isWhole = places.length === prepared.points.length && places.length > 1
  return isWhole && prepared.shape.series.every(({ kind }) => kind !== 'bar') ? places : undefined
}

/** Includes zero, so that lengths can be compared. */
function domainOf(bands: Band[][]): [number, number] {
  let [least, most] = [0, 0]
  for (const band of bands.flat()) {
    if (!band) continue
    least = Math.min(least, band.from, band.to)
    most = Math.max(most, band.from, band.to)
  }
  return least === most ? [0, 1] : [least, most]
}
