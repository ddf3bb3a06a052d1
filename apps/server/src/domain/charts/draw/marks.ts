import type { ScaleLinear } from 'd3-scale'
import { area, curveLinear, curveMonotoneX, curveMonotoneY, line } from 'd3-shape'
import type { Band } from './bands.ts'
import type { Box } from './frame.ts'
import { tag } from './svg.ts'

/** The coordinate system: categories along one side, values along the other. */
export interface Plane {
  inner: Box
  isHorizontal: boolean
  value: ScaleLinear<number, number>
  slotAt(at: number): { start: number; size: number }
  middleAt(at: number): number
}

interface Mark {
  bands: Band[]
  color: string
}

/** `slot`: the bar's position among the bars of one category. */
export function drawBars(plane: Plane, { bands, color, slot }: Mark & { slot: { at: number; of: number } }): string {
  const bars = bands.map((band, at) => {
    if (!band) return ''
    const { start, size } = plane.slotAt(at)
    const thickness = size / slot.of
    const across = start + slot.at * thickness
    const [from, to] = [plane.value(band.from), plane.value(band.to)]
    const [least, length] = [Math.min(from, to), Math.abs(to - from)]
    return plane.isHorizontal
      ? tag('rect', { x: least, y: across, width: length, height: thickness })
      : tag('rect', { x: across, y: least, width: thickness, height: length })
  })
  return tag('g', { fill: color }, ...bars)
}

export function drawLine(plane: Plane, mark: Mark & { isArea: boolean; isCurved: boolean }): string {
  const { isHorizontal, value, middleAt } = plane
  const { bands, color } = mark
  const curve = mark.isCurved ? (isHorizontal ? curveMonotoneY : curveMonotoneX) : curveLinear
  const places = [...bands.keys()]
  const isThere = (at: number) => bands[at] !== null
  const to = (at: number) => value(bands[at]!.to)
  const from = (at: number) => value(bands[at]!.from)
  const stroke = line<number>().defined(isThere).curve(curve).x(isHorizontal ? to : middleAt).y(isHorizontal ? middleAt : to)
  const filled = area<number>().defined(isThere).curve(curve)
  const fill = isHorizontal ? filled.y(middleAt).x0(from).x1(to) : filled.x(middleAt).y0(from).y1(to)
  // A single value has no length; without a dot it would be invisible.
  const alone = places.filter((at) => isThere(at) && !bands[at - 1] && !bands[at + 1])
  const strokeStyle = { 'stroke-width': 4, 'stroke-linejoin': 'round', 'stroke-linecap': 'round' }
  return [
    mark.isArea ? tag('path', { d: fill(places) ?? '', fill: color, 'fill-opacity': 0.3 }) : '',
    tag('path', { d: stroke(places) ?? '', fill: 'none', stroke: color, ...strokeStyle }),
    ...alone.map((at) => {
      const [x, y] = isHorizontal ? [to(at), middleAt(at)] : [middleAt(at), to(at)]
      return tag('circle', { cx: x, cy: y, r: 6, fill: color })
    }),
  ].join('')
}
