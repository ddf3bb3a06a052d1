import type { CharacterWidths } from './fitting-text.ts'
import type { GridContent } from './grid-content.ts'
import { type GridCell, makeGridCell } from './grid-cell.ts'
import { rowHeight } from './grid-sizes.ts'
import { inOrder } from './in-order.ts'

export interface GridRow {
  element: HTMLElement
  show(content: GridContent, options: { row: number; columns: number[]; isChanged: boolean }): void
  restoreOrder(): void
}

/** The elements of a row, which show one row after another. */
export function makeGridRow({ widths, isPinned }: { widths: CharacterWidths; isPinned: boolean }): GridRow {
  const element = make('row', 'group absolute left-0 w-full border-b border-line contain-strict hover:bg-raised')
  element.style.height = `${rowHeight}px`
  const pinned = make('presentation', 'sticky left-0 z-1 h-full bg-surface group-hover:bg-raised')
  const number = make(
    'rowheader',
    'h-full border-r border-line bg-surface pr-2 text-right text-xs leading-[29px] text-soft tabular-nums contain-size',
  )
  number.setAttribute('aria-colindex', '1')
  number.dataset['column'] = '-1'
  const numberText = number.appendChild(document.createTextNode(''))
  const pinnedCell = isPinned ? makeGridCell(widths) : null
  pinned.append(number, ...(pinnedCell ? [pinnedCell.element] : []))
  element.append(pinned)
  const cells: GridCell[] = []
  let shownRow = -1
  let shownColumns: number[] = []

  return {
    element,
    show(content, { row, columns, isChanged }) {
      const isMoved = row !== shownRow
      if (isMoved || isChanged) showRow(content, row)
      for (const surplus of cells.splice(columns.length)) surplus.element.remove()
      while (cells.length < columns.length) {
        const cell = makeGridCell(widths)
        cells.push(cell)
        element.append(cell.element)
      }
      columns.forEach((column, slot) => {
        if (isMoved || isChanged || column !== shownColumns[slot]) cells[slot]!.show(content, row, column)
      })
      shownRow = row
      shownColumns = columns
    },
    restoreOrder() {
      inOrder(element, cells.map((cell, slot) => ({ element: cell.element, at: shownColumns[slot]! })))
    },
  }

  function showRow(content: GridContent, row: number): void {
    if (row !== shownRow) {
      element.setAttribute('aria-rowindex', String(row + 2))
      element.dataset['row'] = String(row)
      element.style.top = `${row * rowHeight}px`
    }
    const { gutterWidth } = content
    setWidth(number, gutterWidth)
    setWidth(pinned, gutterWidth + (isPinned ? content.widths[0]! : 0))
    numberText.data = String(content.numberOf(row))
    pinnedCell?.show(content, row, 0)
  }
}

function make(role: string, className: string): HTMLElement {
  const element = document.createElement('div')
  element.setAttribute('role', role)
  element.className = className
  return element
}

function setWidth(element: HTMLElement, width: number): void {
  if (element.style.width !== `${width}px`) element.style.width = `${width}px`
}
