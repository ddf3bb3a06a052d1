import { type PreparedChart, textProp } from '@querypost/visualization'
import { arc, pie } from 'd3-shape'
import type { Box } from './frame.ts'
import { colorOr } from './palette.ts'
import { colors, tag, text } from './svg.ts'

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** A ring on the left, with names and shares next to it. */
export function drawPie({ element, points }: PreparedChart, box: Box): string {
  const ring = element.children.find(({ name }) => name === 'Pie')!
  const [key, nameKey] = [textProp(ring, 'dataKey') ?? 'missing', textProp(ring, 'nameKey') ?? 'missing']
  const cells = ring.children.filter(({ name }) => name === 'Cell')
  const values = points.map((point) => Number(point[key]))
  const total = values.reduce((sum, value) => sum + value, 0)
  const radius = (box.bottom - box.top) / 2
  const center = { x: box.left + radius + 40, y: (box.top + box.bottom) / 2 }
  const shape = arc<{ startAngle: number; endAngle: number }>().innerRadius(radius * 0.55).outerRadius(radius)
  const color = (at: number) => colorOr(cells[at] && textProp(cells[at], 'fill'), at)
  const slices = pie<number>().sort(null)(values)
  const rowHeight = Math.min(44, (box.bottom - box.top) / Math.max(1, points.length))
  const firstRow = center.y - (rowHeight * points.length) / 2
  const listLeft = center.x + radius + 70
  const nameWidth = box.right - listLeft - 150
  return [
    tag(
      'g',
      { transform: `translate(${center.x} ${center.y})`, stroke: colors.paper, 'stroke-width': 3 },
      ...slices.map((slice, at) => tag('path', { d: shape(slice) ?? '', fill: color(at) })),
    ),
    ...points.map((point, at) => {
      const y = firstRow + at * rowHeight + rowHeight / 2
      const size = Math.min(22, rowHeight * 0.6)
      return [
        tag('rect', { x: listLeft, y: y - 9, width: 18, height: 18, rx: 4, fill: color(at) }),
        text(String(point[nameKey] ?? at + 1), { x: listLeft + 30, y: y + 7, size, maxWidth: nameWidth }),
        text(percent.format(values[at]! / total), { x: box.right, y: y + 7, size, color: colors.soft, anchor: 'end' }),
      ].join('')
    }),
  ].join('')
}
