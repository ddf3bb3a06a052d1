import { classNames } from '../ui/class-names.ts'
import { cellTint } from './cell-tint.ts'
import { isNumeric } from './cell.ts'
import { type CharacterWidths, fits } from './fitting-text.ts'
import type { GridContent } from './grid-content.ts'

/** Cells show this many characters of a long text; Enter or a double click opens all of it. */
const shownCharacters = 300
const paddingAndBorder = 25

/** An element that shows one cell after another. It remembers what it shows, because writing the same again would cost the browser a layout. */
export interface GridCell {
  element: HTMLElement
  show(content: GridContent, row: number, column: number): void
}

export function makeGridCell(widths: CharacterWidths): GridCell {
  const element = document.createElement('div')
  const text = element.appendChild(document.createTextNode(''))
  element.setAttribute('role', 'gridcell')
  const shown = { column: -1, left: -1, width: -1, text: '', className: '', tint: '', isSelected: '', id: '' }
  return {
    element,
    show(content, row, column) {
      const { fields, bounds, active } = content
      const value = content.rowAt(row)[column]
      const isSelected = bounds !== null && row >= bounds.firstRow && row <= bounds.lastRow && column >= bounds.firstColumn && column <= bounds.lastColumn
      const isActive = active !== null && active.row === row && active.column === column
      const formatted = content.formats[column]!(value)
      const next = {
        column,
        left: content.lefts[column]!,
        width: content.widths[column]!,
        text: formatted === null ? 'null' : oneLine(formatted),
        className: '',
        tint: tintOf(isSelected ? null : (content.colors[column]?.(value) ?? null)),
        isSelected: String(isSelected),
        id: isActive ? content.activeId : '',
      }
      const { type } = fields[column]!
      next.className = classNames(
        'absolute top-0 h-full border-r border-line px-3 leading-[29px] whitespace-pre contain-size',
        isNumeric(type) && 'text-right tabular-nums',
        type === 'json' && 'font-mono text-xs',
        formatted === null && 'text-soft italic',
        isSelected && 'bg-accent-wash',
        isActive && 'shadow-[inset_0_0_0_2px_var(--focus)]',
        // A cell that clips its text takes the browser about as long again as one that does not.
        (type === 'json' || !fits(next.text, next.width - paddingAndBorder, widths)) && 'overflow-clip text-ellipsis',
      )
      if (next.column !== shown.column) {
        element.setAttribute('aria-colindex', String(column + 2))
        element.dataset['column'] = String(column)
      }
      if (next.left !== shown.left) element.style.left = `${next.left}px`
      if (next.width !== shown.width) element.style.width = `${next.width}px`
      if (next.text !== shown.text) text.data = next.text
      if (next.className !== shown.className) element.className = next.className
      if (next.tint !== shown.tint) element.style.backgroundColor = next.tint
      if (next.isSelected !== shown.isSelected) element.setAttribute('aria-selected', next.isSelected)
      if (next.id !== shown.id) element.id = next.id
      Object.assign(shown, next)
    },
  }
}

const tintOf = (color: string | null) => (color === null ? '' : cellTint(color).backgroundColor)

/** Rows are one line high, so line breaks are shown as symbols. */
function oneLine(text: string): string {
  const short = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
  return short.replaceAll(/\r\n|[\r\n]/g, ' ↵ ')
}
