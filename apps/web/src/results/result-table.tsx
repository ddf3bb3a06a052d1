import { columnResizingFeature, columnSizingFeature, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Field } from '../api/first-rows.ts'
import { CellDialog } from './cell-dialog.tsx'
import { firstWidth, narrowestWidth } from './column-widths.ts'
import { copyText } from './copy-text.ts'
import { type Bounds, boundsOf, cellCount, headerRow, type Place, type Selection } from './grid-selection.ts'
import { headerHeight, rowHeight } from './grid-sizes.ts'
import { ResultHeader } from './result-header.tsx'
import { ResultRow } from './result-row.tsx'
import { type SortBy, sortRows } from './sort-rows.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { useGridMouse } from './use-grid-mouse.ts'

/**
 * Rows of a result as a grid: only what is in view is in the document, whatever the size of the result.
 *
 * TanStack Table keeps the columns: their widths and how they are sorted. The rows it is not given, since it would make an
 * object of each: the order of 100,000 of them is one list of numbers here. Columns and rows are known by their places, for
 * names may repeat.
 */
const features = tableFeatures({ columnSizingFeature, columnResizingFeature, rowSortingFeature })
const noRows: unknown[][] = []
const count = new Intl.NumberFormat()

export const ResultTable = memo(function ResultTable(props: { fields: Field[]; rows: unknown[][]; label?: string }) {
  const { fields, rows, label = 'Rows of the result' } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const hasRows = rows.length > 0
  const columns = useMemo(
    () =>
      fields.map((field, at) => ({
        id: String(at),
        accessorFn: (row: unknown[]) => row[at],
        size: firstWidth(field, at, rows),
        minSize: narrowestWidth,
        maxSize: 4000,
      })),
    // The first rows decide the widths; that more of them come must not change what somebody looks at.
    [fields, hasRows],
  )
  const table = useTable({
    features,
    columns,
    data: noRows,
    manualSorting: true,
    sortDescFirst: false,
    columnResizeMode: 'onChange',
  })
  const { sorting, columnSizing } = table.state
  const sortBy: SortBy[] = sorting.map(({ id: columnId, desc }) => ({ fieldAt: Number(columnId), isDescending: desc }))
  const order = useMemo(() => sortRows(rows, fields, sortBy), [rows, fields, sorting])
  const rowAt = (row: number) => rows[order ? order[row]! : row]!
  const widths = useMemo(() => columns.map((column) => columnSizing[column.id] ?? column.size), [columns, columnSizing])
  const gutterWidth = 20 + String(rows.length).length * 8

  const vertical = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    scrollPaddingStart: headerHeight,
    overscan: 8,
  })
  const horizontal = useVirtualizer({
    horizontal: true,
    count: fields.length,
    getScrollElement: () => box.current,
    estimateSize: (at) => widths[at]!,
    scrollPaddingStart: gutterWidth,
    overscan: 2,
  })
  // Sizes are the table's; the virtualizer only has to be told that they are others now.
  useLayoutEffect(() => horizontal.measure(), [horizontal, widths])

  const [selection, setSelection] = useState<Selection | null>(null)
  const [opened, setOpened] = useState<Place | null>(null)
  const [said, setSaid] = useState('')
  const select = (next: Selection | null) => {
    setSelection(next)
    setSaid('')
  }
  const show = ({ row, column }: Place) => {
    if (row !== headerRow) vertical.scrollToIndex(row)
    horizontal.scrollToIndex(column)
  }
  const sort = (column: number, isMulti: boolean) => table.getColumn(String(column))?.toggleSorting(undefined, isMulti)
  const copy = (bounds: Bounds): string => {
    setSaid(`Copied ${cellCount(bounds) === 1 ? 'the value' : `${count.format(cellCount(bounds))} values`}.`)
    return copyText({ fields, rowAt, rowCount: rows.length, bounds })
  }
  const onKeyDown = useGridKeys({
    size: { rowCount: rows.length, columnCount: fields.length },
    pageRows: () => Math.max(1, Math.floor(((box.current?.clientHeight ?? 0) - headerHeight) / rowHeight) - 1),
    selection,
    onSelect: (next) => {
      select(next)
      show(next.active)
    },
    onSort: sort,
    onOpen: setOpened,
    onResize: (column, byPixels) =>
      table.setColumnSizing((before) => ({ ...before, [column]: Math.max(narrowestWidth, widths[column]! + byPixels) })),
    onEscape: () => select(null),
  })
  const size = { rowCount: rows.length, columnCount: fields.length }
  const mouse = useGridMouse({ ...size, selection, onSelect: select, onOpen: setOpened })
  const isMarking = selection !== null && selection.anchor.row !== headerRow && selection.active.row !== headerRow
  const bounds = isMarking ? boundsOf(selection) : null
  const shownColumns = horizontal.getVirtualItems()
  const width = gutterWidth + horizontal.getTotalSize()

  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div
        ref={box}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-describedby={`${id}-keys`}
        aria-rowcount={rows.length + 1}
        aria-colcount={fields.length + 1}
        aria-multiselectable="true"
        {...(selection && { 'aria-activedescendant': `${id}-${selection.active.row}-${selection.active.column}` })}
        className="relative max-h-[min(70dvh,44rem)] overflow-auto overscroll-x-contain text-[13px] outline-offset-[-2px] select-none"
        onKeyDown={onKeyDown}
        onCopy={(event) => {
          if (!bounds) return
          event.preventDefault()
          event.clipboardData.setData('text/plain', copy(bounds))
        }}
        {...mouse}
      >
        <ResultHeader
          id={id}
          fields={fields}
          table={table}
          columns={shownColumns}
          gutterWidth={gutterWidth}
          width={width}
          activeColumn={selection?.active.row === headerRow ? selection.active.column : undefined}
          onSort={sort}
          onCopyColumn={(column) => {
            const whole = { firstRow: 0, lastRow: rows.length - 1, firstColumn: column, lastColumn: column }
            void navigator.clipboard.writeText(copy(whole)).catch(() => setSaid('The browser did not let the column be copied.'))
          }}
        />
        <div role="rowgroup" className="relative min-w-full" style={{ width, height: vertical.getTotalSize() }}>
          {vertical.getVirtualItems().map(({ index, start }) => {
            const isMarked = bounds !== null && index >= bounds.firstRow && index <= bounds.lastRow
            return (
              <ResultRow
                key={index}
                id={id}
                index={index}
                number={(order ? order[index]! : index) + 1}
                start={start}
                row={rowAt(index)}
                fields={fields}
                columns={shownColumns}
                gutterWidth={gutterWidth}
                firstMarked={isMarked ? bounds.firstColumn : undefined}
                lastMarked={isMarked ? bounds.lastColumn : undefined}
                activeColumn={selection?.active.row === index ? selection.active.column : undefined}
              />
            )
          })}
        </div>
      </div>
      {rows.length === 0 && <p className="border-t border-line px-4 py-6 text-center text-soft">The query found no rows.</p>}
      <p id={`${id}-keys`} className="sr-only">
        Arrow keys move between cells, with Shift they mark several. Enter shows the whole value, on a name it sorts. Control
        and C copies. Control and Space marks the column. Alt and the arrows make a column wider or narrower.
      </p>
      <p role="status" className="sr-only">{said}</p>
      {opened && opened.row < rows.length && (
        <CellDialog
          field={fields[opened.column]!}
          value={rowAt(opened.row)[opened.column]}
          onClose={() => setOpened(null)}
          onClosed={() => box.current?.focus()}
        />
      )}
    </div>
  )
})
