import type { Plane } from './marks.ts'
import { colors, tag, text, widthOf } from './svg.ts'

export const tickSize = 18
const labelMaxWidth = 220
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function drawGrid({ value, inner, isHorizontal }: Plane): string {
  return value
    .ticks(5)
    .map((tick) => {
      const at = value(tick)
      const stroke = { stroke: tick === 0 ? colors.soft : colors.line, 'stroke-width': tick === 0 ? 2 : 1 }
      const label = { size: tickSize, color: colors.soft }
      if (isHorizontal) {
        const line = tag('line', { x1: at, x2: at, y1: inner.top, y2: inner.bottom, ...stroke })
        return line + text(compact.format(tick), { x: at, y: inner.bottom + 28, anchor: 'middle', ...label })
      }
      const line = tag('line', { x1: inner.left, x2: inner.right, y1: at, y2: at, ...stroke })
      return line + text(compact.format(tick), { x: inner.left - 12, y: at + 6, anchor: 'end', ...label })
    })
    .join('')
}

/** As many labels as fit without overlapping. */
export function drawCategories({ inner, isHorizontal, middleAt }: Plane, labels: string[]): string {
  const widths = labels.map((label) => Math.min(labelMaxWidth, widthOf(label, { size: tickSize })))
  const needed = isHorizontal ? tickSize + 6 : widths.reduce((most, width) => Math.max(most, width), 1) + 24
  let free = Number.NEGATIVE_INFINITY
  return labels
    .map((label, at) => {
      const middle = middleAt(at)
      if (middle - needed / 2 < free) return ''
      free = middle + needed / 2
      const shown = { size: tickSize, color: colors.soft }
      return isHorizontal
        ? text(label, { x: inner.left - 12, y: middle + 6, anchor: 'end', maxWidth: 320, ...shown })
        : text(label, { x: middle, y: inner.bottom + 28, anchor: 'middle', maxWidth: labelMaxWidth, ...shown })
    })
    .join('')
}
