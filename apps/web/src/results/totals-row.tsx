import { type CellFormatter, columnTotals, type ColumnSettings, formatter, type Total, type TotalKind } from '@querypost/visualization'
import type { VirtualItem } from '@tanstack/react-virtual'
import { useMemo } from 'react'
import type { Field } from '../api/first-rows.ts'
import { classNames } from '../ui/class-names.ts'
import { isNumeric } from './cell.ts'
import { rowHeight } from './grid-sizes.ts'

const kindLabels: { [kind in TotalKind]: string } = { sum: '', average: 'Avg ', min: 'Min ', max: 'Max ', count: 'Count ' }
const countFormat = formatter({ name: 'count', type: 'integer' })

/** The totals of the columns as text, in the order of the fields. */
export function useTotals(options: {
  fields: Field[]
  rows: unknown[][]
  formats: CellFormatter[]
  columns: readonly ColumnSettings[] | undefined
  isShown: boolean
}): (string | null)[] | null {
  const { fields, rows, formats, columns, isShown } = options
  return useMemo(
    () => (isShown ? columnTotals(fields, rows, columns).map((total, at) => textOf(total, formats[at]!)) : null),
    [fields, rows, formats, columns, isShown],
  )
}

function textOf(total: Total | null, format: CellFormatter): string | null {
  if (total === null || total.value === null) return null
  return `${kindLabels[total.kind]}${total.kind === 'count' ? countFormat(total.value) : format(total.value)}`
}

/** Stays at the bottom of the table while the rows scroll. */
export function TotalsRow(props: {
  totals: (string | null)[]
  fields: Field[]
  columns: VirtualItem[]
  gutterWidth: number
  isPinned: boolean
  width: number
  rowIndex: number
}) {
  const { totals, fields, gutterWidth, isPinned } = props
  const cell = ({ index, start, size }: VirtualItem) => (
    <div
      key={index}
      role="gridcell"
      aria-colindex={index + 2}
      className={classNames(
        'absolute top-0 h-full overflow-hidden border-r border-line px-3 leading-[29px] font-semibold text-ellipsis whitespace-pre',
        isNumeric(fields[index]!.type) && 'text-right tabular-nums',
      )}
      style={{ left: gutterWidth + start, width: size }}
      title={totals[index] ?? undefined}
    >
      {totals[index]}
    </div>
  )
  const [first] = props.columns
  return (
    <div role="rowgroup" className="sticky bottom-0 z-2 min-w-full" style={{ width: props.width }}>
      <div
        role="row"
        aria-rowindex={props.rowIndex}
        className="relative border-t border-line-strong bg-raised"
        style={{ height: rowHeight }}
      >
        <div
          role="presentation"
          className="sticky left-0 z-2 h-full bg-raised"
          style={{ width: gutterWidth + (isPinned && first ? first.size : 0) }}
        >
          <div
            role="rowheader"
            aria-colindex={1}
            className="flex h-full items-center justify-end border-r border-line pr-2 text-xs text-soft"
            style={{ width: gutterWidth }}
          >
            <span aria-hidden="true">Σ</span>
            <span className="sr-only">Totals</span>
          </div>
          {isPinned && first && cell(first)}
        </div>
        {props.columns.slice(isPinned ? 1 : 0).map(cell)}
      </div>
    </div>
  )
}
