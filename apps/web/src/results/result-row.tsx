import type { VirtualItem } from '@tanstack/react-virtual'
import { memo } from 'react'
import type { Field } from '../api/first-rows.ts'
import { classNames } from '../ui/class-names.ts'
import { cellText, isNumeric } from './cell.ts'
import { rowHeight } from './grid-sizes.ts'

/** What a cell shows of a long text; the whole of it is behind Enter or a double click. */
const shownCharacters = 300

/** Everything is a plain value or does not change between two looks, so scrolling draws only the rows that come into view. */
export const ResultRow = memo(function ResultRow(props: {
  id: string
  /** Its place as it is sorted, and its number in the result. */
  index: number
  number: number
  start: number
  row: unknown[]
  fields: Field[]
  columns: VirtualItem[]
  gutterWidth: number
  firstMarked: number | undefined
  lastMarked: number | undefined
  activeColumn: number | undefined
}) {
  const { id, index, row, fields, gutterWidth, firstMarked, lastMarked, activeColumn } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className="absolute top-0 left-0 w-full border-b border-line hover:bg-raised"
      style={{ height: rowHeight, transform: `translateY(${props.start}px)` }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        data-row={index}
        data-column={-1}
        className="sticky left-0 z-1 flex h-full items-center justify-end border-r border-line bg-surface pr-2 text-xs text-soft tabular-nums"
        style={{ width: gutterWidth }}
      >
        {props.number}
      </div>
      {props.columns.map(({ index: column, start, size }) => (
        <Cell
          key={column}
          id={`${id}-${index}-${column}`}
          row={index}
          column={column}
          field={fields[column]!}
          value={row[column]}
          left={gutterWidth + start}
          width={size}
          isMarked={firstMarked !== undefined && column >= firstMarked && column <= lastMarked!}
          isActive={activeColumn === column}
        />
      ))}
    </div>
  )
})

function Cell(props: {
  id: string
  row: number
  column: number
  field: Field
  value: unknown
  left: number
  width: number
  isMarked: boolean
  isActive: boolean
}) {
  const text = cellText(props.field.type, props.value)
  return (
    <div
      role="gridcell"
      id={props.id}
      aria-colindex={props.column + 2}
      aria-selected={props.isMarked}
      data-row={props.row}
      data-column={props.column}
      className={classNames(
        'absolute top-0 h-full overflow-hidden border-r border-line px-3 text-ellipsis whitespace-pre leading-[29px]',
        isNumeric(props.field.type) && 'text-right tabular-nums',
        props.field.type === 'json' && 'font-mono text-xs',
        props.isMarked && 'bg-accent-wash',
        props.isActive && 'shadow-[inset_0_0_0_2px_var(--focus)]',
      )}
      style={{ left: props.left, width: props.width }}
    >
      {text === null ? <span className="text-soft italic">null</span> : firstLine(text)}
    </div>
  )
}

/** Breaks of lines are shown as marks: a row is one line high. */
function firstLine(text: string): string {
  const short = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
  return short.replaceAll(/\r\n|[\r\n]/g, ' ↵ ')
}
