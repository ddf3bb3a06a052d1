import type { ColumnSettings } from '@querypost/visualization'
import { columnResizingFeature, columnSizingFeature, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { memo, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Field } from '../api/first-rows.ts'
import type { PointAsShown } from '../comments/describe-point.ts'
import { arrangeColumns } from './arrange-columns.ts'
import { CellDialog } from './cell-dialog.tsx'
import { CellMenu } from './cell-menu.tsx'
import { initialWidth, minWidth } from './column-widths.ts'
import { copyText } from './copy-text.ts'
import type { GridContent } from './grid-content.ts'
import { type Bounds, boundsOf, cellCount, headerRow, type Place, type Selection, singleCell } from './grid-selection.ts'
import { headerHeight, rowHeight } from './grid-sizes.ts'
import { pointOfCell } from './point-of-cell.ts'
import { ResultHeader } from './result-header.tsx'
import { scrollTopToShow } from './rows-near.ts'
import { type SortBy, sortRows } from './sort-rows.ts'
import { TotalsRow, useTotals } from './totals-row.tsx'
import { useGridBody } from './use-grid-body.ts'
import { useGridKeys } from './use-grid-keys.ts'
import { useGridMouse } from './use-grid-mouse.ts'

/**
 * The rows of a result as a virtualized grid: only visible cells are in the document, whatever the size of the result. React renders the
 * header and the totals; the rows are drawn by `makeGridBody`.
 *
 * TanStack Table manages the widths and sorting of columns. It is not given the rows, since it would create an object for each:
 * here, the order of 100,000 rows is one array of indexes. Columns and rows are identified by position, because column names
 * may repeat.
 */
const features = tableFeatures({ columnSizingFeature, columnResizingFeature, rowSortingFeature })
const noRows: unknown[][] = []
/** The first column stays in view while the others scroll, unless it takes more than this share of the width. */
const maxPinnedShare = 0.5
const isNarrowWindow = () => window.innerWidth < 640
const count = new Intl.NumberFormat()

function leftsOf(widths: number[], gutterWidth: number): number[] {
  let left = gutterWidth
  return widths.map((width) => (left += width) - width)
}

export interface ResultTableProps {
  fields: Field[]
  rows: unknown[][]
  label?: string
  /** How columns are shown. By default as they are in the result. */
  columns?: readonly ColumnSettings[] | undefined
  hasTotals?: boolean | undefined
  /** Whether the result has more rows than these. */
  isPartial?: boolean
  /** Takes the height of its container, and scrolls inside it. */
  isFilling?: boolean
  /** Opens the settings of a column, by its name. */
  onFormat?: ((column: string) => void) | undefined
  /** Offers to comment on a value, in the menu of its cell. */
  onComment?: ((point: PointAsShown) => void) | undefined
}

export const ResultTable = memo(function ResultTable(props: ResultTableProps) {
  const { label = 'Result rows', columns: columnSettings, hasTotals = false, isPartial = false, isFilling = false, onComment } = props
  const arranged = useMemo(() => arrangeColumns(props, columnSettings), [props.fields, props.rows, columnSettings])
  const { fields, rows, settings, formats, colors } = arranged
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const rowGroup = useRef<HTMLDivElement>(null)
  const hasRows = rows.length > 0
  const totals = useTotals({ fields, rows, formats, columns: columnSettings, isShown: hasTotals && hasRows })
  const columns = useMemo(
    () =>
      fields.map((field, at) => ({
        id: String(at),
        accessorFn: (row: unknown[]) => row[at],
        size: initialWidth(field, {
          fieldIndex: at,
          rows,
          format: formats[at]!,
          title: settings[at]?.title,
          total: totals?.[at],
          isNarrow: isNarrowWindow(),
        }),
        minSize: minWidth,
        maxSize: 4000,
      })),
    // The first rows determine the widths; rows loaded later must not change the layout while someone reads it.
    [props.fields, columnSettings, hasTotals, hasRows],
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
  const sortBy: SortBy[] = sorting.map(({ id: columnId, desc }) => ({ fieldIndex: Number(columnId), isDescending: desc }))
  const order = useMemo(() => sortRows(rows, fields, sortBy), [rows, fields, sorting])
  const indexOf = (row: number) => (order ? order[row]! : row)
  const rowAt = (row: number) => rows[indexOf(row)]!
  const widths = useMemo(() => columns.map((column) => columnSizing[column.id] ?? column.size), [columns, columnSizing])
  const gutterWidth = 20 + String(rows.length).length * 8

  const [boxWidth, setBoxWidth] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setBoxWidth(entry!.contentRect.width))
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  const isPinned = fields.length > 1 && gutterWidth + widths[0]! <= boxWidth * maxPinnedShare

  const horizontal = useVirtualizer({
    horizontal: true,
    count: fields.length,
    getScrollElement: () => box.current,
    estimateSize: (at) => widths[at]!,
    scrollPaddingStart: gutterWidth + (isPinned ? widths[0]! : 0),
    overscan: 2,
    useFlushSync: false,
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range)
      return isPinned && indexes[0] !== 0 ? [0, ...indexes] : indexes
    },
  })
  // TanStack Table owns the widths; the virtualizer must be notified when they change.
  useLayoutEffect(() => horizontal.measure(), [horizontal, widths])

  const [selection, setSelection] = useState<Selection | null>(null)
  const [opened, setOpened] = useState<Place | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const select = (next: Selection | null) => {
    setSelection(next)
    setAnnouncement('')
  }
  const show = ({ row, column }: Place) => {
    const { scrollTop, clientHeight } = box.current!
    if (row !== headerRow) box.current!.scrollTop = scrollTopToShow(row, { top: scrollTop, height: clientHeight, hasTotals: totals !== null })
    horizontal.scrollToIndex(column)
  }
  const sort = (column: number, isMulti: boolean) => table.getColumn(String(column))?.toggleSorting(undefined, isMulti)
  const copy = (bounds: Bounds): string => {
    setAnnouncement(`Copied ${count.format(cellCount(bounds))} ${cellCount(bounds) === 1 ? 'value' : 'values'}.`)
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
      table.setColumnSizing((before) => ({ ...before, [column]: Math.max(minWidth, widths[column]! + byPixels) })),
    onEscape: () => select(null),
  })
  const size = { rowCount: rows.length, columnCount: fields.length }
  const mouse = useGridMouse({ ...size, selection, onSelect: select, onOpen: setOpened })
  const isSelecting = selection !== null && selection.anchor.row !== headerRow && selection.active.row !== headerRow
  const bounds = useMemo(() => (isSelecting ? boundsOf(selection) : null), [isSelecting, selection])
  const shownColumns = horizontal.getVirtualItems()
  const columnIndexes = useMemo(() => shownColumns.map(({ index }) => index), [shownColumns])
  const activeId = selection ? `${id}-${selection.active.row}-${selection.active.column}` : ''
  const content = useMemo(
    (): GridContent => ({
      fields,
      formats,
      colors,
      rowAt,
      numberOf: (row) => indexOf(row) + 1,
      lefts: leftsOf(widths, gutterWidth),
      widths,
      gutterWidth,
      isPinned,
      bounds,
      active: selection?.active ?? null,
      activeId,
    }),
    [arranged, order, widths, gutterWidth, isPinned, bounds, selection, activeId],
  )
  useGridBody({ box, host: rowGroup, content, columns: columnIndexes, rowCount: rows.length })
  const width = gutterWidth + horizontal.getTotalSize()
  const comment = onComment && (({ row, column }: Place) => onComment(pointOfCell(arranged, rowAt(row), column)))

  return (
    <div className={`overflow-hidden rounded-lg border border-line bg-surface ${isFilling ? 'flex max-h-full flex-col' : ''}`}>
      <CellMenu
        active={selection && selection.active.row !== headerRow ? selection.active : null}
        onSelect={(place) => select(singleCell(place))}
        onOpen={setOpened}
        onComment={comment}
      >
        <div
          ref={box}
          role="grid"
          tabIndex={0}
          aria-label={label}
          aria-describedby={`${id}-keys`}
          aria-rowcount={rows.length + (totals ? 2 : 1)}
          aria-colcount={fields.length + 1}
          aria-multiselectable="true"
          {...(selection && { 'aria-activedescendant': activeId })}
          className={`relative ${isFilling ? 'min-h-0' : 'max-h-[min(70dvh,44rem)]'} overflow-auto overscroll-x-contain text-[13px] outline-offset-[-2px] select-none`}
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
            settings={settings}
            table={table}
            columns={shownColumns}
            gutterWidth={gutterWidth}
            isPinned={isPinned}
            width={width}
            activeColumn={selection?.active.row === headerRow ? selection.active.column : undefined}
            onSort={sort}
            onFormat={props.onFormat}
            onCopyColumn={(column) => {
              const whole = { firstRow: 0, lastRow: rows.length - 1, firstColumn: column, lastColumn: column }
              void navigator.clipboard.writeText(copy(whole)).catch(() => setAnnouncement('Couldn’t copy the column: the browser denied access to the clipboard.'))
            }}
          />
          <div ref={rowGroup} role="rowgroup" className="relative min-w-full" style={{ width, height: rows.length * rowHeight }} />
          {totals && (
            <TotalsRow
              totals={totals}
              fields={fields}
              columns={shownColumns}
              gutterWidth={gutterWidth}
              isPinned={isPinned}
              width={width}
              rowIndex={rows.length + 2}
            />
          )}
        </div>
      </CellMenu>
      {totals && (
        <p className="border-t border-line px-3 py-1 text-xs text-soft">
          {isPartial ? `Totals of the ${count.format(rows.length)} rows shown` : `Totals of all ${count.format(rows.length)} rows`}
        </p>
      )}
      {fields.length === 0 && props.fields.length > 0 && (
        <p className="border-t border-line px-4 py-6 text-center text-soft">All columns are hidden.</p>
      )}
      {rows.length === 0 && <p className="border-t border-line px-4 py-6 text-center text-soft">The query returned no rows.</p>}
      <p id={`${id}-keys`} className="sr-only">
        Arrow keys move between cells; with Shift they select several. Enter opens the full value, or sorts when on a column
        name. Control+C copies. Control+Space selects the column. Alt+Arrow resizes the column.
      </p>
      <p role="status" className="sr-only">{announcement}</p>
      {opened && opened.row < rows.length && (
        <CellDialog
          field={fields[opened.column]!}
          value={rowAt(opened.row)[opened.column]}
          onComment={comment && (() => comment(opened))}
          onClose={() => setOpened(null)}
          onClosed={() => box.current?.focus()}
        />
      )}
    </div>
  )
})
