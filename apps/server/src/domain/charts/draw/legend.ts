import type { Box } from './frame.ts'
import { colors, fitted, tag, text, widthOf } from './svg.ts'

const size = 20
const rowHeight = 34
const maxRows = 2
const mark = 18
const gap = 28

/** Draws names with their colors along the top of the box; returns the remaining box. */
export function legend(entries: { name: string; color: string }[], box: Box): { svg: string; box: Box } {
  const parts: string[] = []
  let x = box.left
  let row = 0
  for (const { name, color } of entries) {
    const shown = fitted(name, { size, maxWidth: 320 })
    const needed = mark + 10 + widthOf(shown, { size }) + gap
    if (x > box.left && x + needed > box.right) {
      x = box.left
      row++
    }
    if (row === maxRows) break
    const y = box.top + row * rowHeight
    parts.push(tag('rect', { x, y: y + 2, width: mark, height: mark, rx: 4, fill: color }))
    parts.push(text(shown, { x: x + mark + 10, y: y + mark, size, color: colors.ink }))
    x += needed
  }
  const rows = Math.min(row + 1, maxRows)
  return { svg: parts.join(''), box: { ...box, top: box.top + (entries.length === 0 ? 0 : rows * rowHeight + 8) } }
}
