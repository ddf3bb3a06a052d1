/** How many elements a grid has, and how large it is. */
export interface GridSize {
  rows: number
  columns: number
  width: number
  height: number
}

/** The size of the grid of a result. Runs in its page. */
export function sizeOfGrid(): GridSize {
  const grid = document.querySelector('[role="grid"]')!
  const rows = [...grid.querySelectorAll('[role="row"][data-row]')]
  return { rows: rows.length, columns: rows[0]!.querySelectorAll('[role="gridcell"]').length, width: grid.clientWidth, height: grid.clientHeight }
}

/** What a page with nothing but such a grid needs: no framework, no service, no selection. */
export const bareStyles = `
  * { box-sizing: border-box; margin: 0 }
  .grid { position: relative; overflow: auto; font: 13px system-ui }
  .body { position: relative; width: 25000px; height: 2100000px }
  .row { position: absolute; left: 0; width: 100%; height: 30px; border-bottom: 1px solid #e4e1da; contain: strict }
  .pinned { position: sticky; left: 0; z-index: 1; height: 100%; background: #fff }
  .number, .cell { height: 100%; padding: 0 12px; border-right: 1px solid #e4e1da; line-height: 29px; text-align: right; white-space: pre }
  .number { width: 76px }
  .cell { position: absolute; top: 0; width: 126px; contain: size }`

/** Makes a grid whose elements are never added or removed: scrolling changes the texts of those that come into view. Runs in its page. */
export function makeBareGrid({ rows: rowCount, columns: columnCount, width, height }: GridSize): void {
  const [rowHeight, columnWidth, gutterWidth, overscan] = [30, 126, 76, { rows: 8, columns: 2 }]
  const number = new Intl.NumberFormat('en-US')
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- The page gets only this function.
  const make = (parent: HTMLElement, className: string) => {
    const element = parent.appendChild(document.createElement('div'))
    element.className = className
    return element
  }
  const grid = make(document.body, 'grid')
  Object.assign(grid.style, { width: `${width}px`, height: `${height}px` })
  const body = make(grid, 'body')
  const rows = Array.from({ length: rowCount }, () => {
    const element = make(body, 'row')
    const pinned = make(element, 'pinned')
    pinned.style.width = `${gutterWidth + columnWidth}px`
    const first = { text: make(pinned, 'number').appendChild(new Text()), cell: make(pinned, 'cell') }
    first.cell.style.left = `${gutterWidth}px`
    const pinnedText = first.cell.appendChild(new Text())
    const cells = Array.from({ length: columnCount - 1 }, () => {
      const cell = make(element, 'cell')
      return { element: cell, text: cell.appendChild(new Text()), column: -1 }
    })
    return { element, number: first.text, pinnedText, cells, row: -1 }
  })
  const valueAt = (row: number, column: number) => number.format((row * (column + 1)) % 997)
  const draw = () => {
    const firstRow = Math.max(0, Math.floor(grid.scrollTop / rowHeight) - overscan.rows)
    const firstColumn = Math.max(1, Math.floor(grid.scrollLeft / columnWidth) - overscan.columns)
    for (let row = firstRow; row < firstRow + rowCount; row += 1) {
      const shown = rows[row % rowCount]!
      const isMoved = shown.row !== row
      if (isMoved) {
        shown.row = row
        shown.element.style.top = `${row * rowHeight}px`
        shown.number.data = String(row + 1)
        shown.pinnedText.data = valueAt(row, 0)
      }
      for (let column = firstColumn; column < firstColumn + columnCount - 1; column += 1) {
        const cell = shown.cells[column % (columnCount - 1)]!
        if (!isMoved && cell.column === column) continue
        if (cell.column !== column) cell.element.style.left = `${gutterWidth + column * columnWidth}px`
        cell.column = column
        cell.text.data = valueAt(row, column)
      }
    }
  }
  grid.addEventListener('scroll', draw, { passive: true })
  draw()
}
