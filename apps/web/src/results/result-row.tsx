import type { CellColors, CellFormatter } from '@querypost/visualization'
import type { VirtualItem } from '@tanstack/react-virtual'
import { memo } from 'react'
import type { Field } from '../api/first-rows.ts'
import { classNames } from '../ui/class-names.ts'
import { cellTint } from './cell-tint.ts'
import { isNumeric } from './cell.ts'
import { rowHeight } from './grid-sizes.ts'

/** Cells show this many characters of a long text; Enter or a double click opens all of it. */
const shownCharacters = 300

/** Memoized: all props are plain or stable values, so scrolling renders only the rows that come into view. */
export const ResultRow = memo(function ResultRow(props: {
  id: string
  /** The position in the sorted rows. */
  index: number
  /** The row's number in the result, from 1. */
  number: number
  start: number
  row: unknown[]
  fields: Field[]
  formats: CellFormatter[]
  colors: (CellColors | null)[]
  columns: VirtualItem[]
  gutterWidth: number
  /** Whether the first column stays in view while the others scroll. */
  isPinned: boolean
  firstSelected: number | undefined
  lastSelected: number | undefined
  activeColumn: number | undefined
}) {
  const { id, index, row, fields, formats, colors, gutterWidth, isPinned, firstSelected, lastSelected, activeColumn } = props
  const cell = ({ index: column, start, size }: VirtualItem) => (
    <Cell
      key={column}
      id={`${id}-${index}-${column}`}
      row={index}
      column={column}
      field={fields[column]!}
      text={formats[column]!(row[column])}
      color={colors[column]?.(row[column]) ?? null}
      left={gutterWidth + start}
      width={size}
      isSelected={firstSelected !== undefined && column >= firstSelected && column <= lastSelected!}
      isActive={activeColumn === column}
    />
  )
  const [first] = props.columns
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="group absolute top-0 left-0 w-full border-b border-line hover:bg-raised"
      style={{ height: rowHeight, transform: `translateY(${props.start}px)` }}
    >
      <div
        role="presentation"
        className="sticky left-0 z-1 h-full bg-surface group-hover:bg-raised"
        style={{ width: gutterWidth + (isPinned && first ? first.size : 0) }}
      >
        <div
          role="rowheader"
          aria-colindex={1}
          data-row={index}
          data-column={-1}
          className="flex h-full items-center justify-end border-r border-line bg-surface pr-2 text-xs text-soft tabular-nums"
          style={{ width: gutterWidth }}
        >
          {props.number}
        </div>
        {isPinned && first && cell(first)}
      </div>
      {props.columns.slice(isPinned ? 1 : 0).map(cell)}
    </div>
  )
})

function Cell(props: {
  id: string
  row: number
  column: number
  field: Field
  text: string | null
  color: string | null
  left: number
  width: number
  isSelected: boolean
  isActive: boolean
}) {
  const { text, color } = props
  return (
    <div
      role="gridcell"
      id={props.id}
      aria-colindex={props.column + 2}
      aria-selected={props.isSelected}
      data-row={props.row}
      data-column={props.column}
      className={classNames(
        'absolute top-0 h-full overflow-hidden border-r border-line px-3 text-ellipsis whitespace-pre leading-[29px]',
        isNumeric(props.field.type) && 'text-right tabular-nums',
        props.field.type === 'json' && 'font-mono text-xs',
        props.isSelected && 'bg-accent-wash',
        props.isActive && 'shadow-[inset_0_0_0_2px_var(--focus)]',
      )}
      style={{ left: props.left, width: props.width, ...(color !== null && !props.isSelected && cellTint(color)) }}
    >
      {text === null ? <span className="text-soft italic">null</span> : oneLine(text)}
    </div>
  )
}

/** Rows are one line high, so line breaks are shown as symbols. */
function oneLine(text: string): string {
  const short = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
  return short.replaceAll(/\r\n|[\r\n]/g, ' ↵ ')
}
