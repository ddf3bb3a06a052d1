import { type ColumnSettings, columnTitle } from '@querypost/visualization'
import type { VirtualItem } from '@tanstack/react-virtual'
import { ArrowDown, ArrowDownNarrowWide, ArrowDownWideNarrow, ArrowUp, ChevronDown, Copy, SlidersHorizontal, X } from 'lucide-react'
import type { Field } from '../api/first-rows.ts'
import { classNames } from '../ui/class-names.ts'
import { Menu, MenuDivider, MenuItem } from '../ui/menu.tsx'
import { isNumeric } from './cell.ts'
import { typeLabel } from './column-widths.ts'
import { headerRow } from './grid-selection.ts'
import { headerHeight } from './grid-sizes.ts'

/** The subset of TanStack Table that is needed. */
interface Columns {
  getColumn(id: string): Column | undefined
  getHeaderGroups(): { headers: { id: string; getResizeHandler(): (event: unknown) => void }[] }[]
}

interface Column {
  getIsSorted(): false | 'asc' | 'desc'
  getSortIndex(): number
  toggleSorting(isDescending?: boolean, isMulti?: boolean): void
  clearSorting(): void
  resetSize(): void
}

export function ResultHeader(props: {
  id: string
  fields: Field[]
  settings: (ColumnSettings | undefined)[]
  table: Columns
  columns: VirtualItem[]
  gutterWidth: number
  /** Whether the first column stays in view while the others scroll. */
  isPinned: boolean
  width: number
  activeColumn: number | undefined
  onSort(column: number, isMulti: boolean): void
  onCopyColumn(column: number): void
  /** Opens the settings of a column. */
  onFormat?: ((column: string) => void) | undefined
}) {
  const { fields, settings, table, gutterWidth, isPinned, onFormat } = props
  const headers = table.getHeaderGroups()[0]?.headers ?? []
  const [first] = props.columns
  const header = ({ index, start, size }: VirtualItem) => (
    <ColumnHeader
      key={index}
      id={`${props.id}-${headerRow}-${index}`}
      field={fields[index]!}
      title={columnTitle(fields[index]!, settings[index])}
      at={index}
      column={table.getColumn(String(index))!}
      left={gutterWidth + start}
      width={size}
      isActive={props.activeColumn === index}
      onSort={(isMulti) => props.onSort(index, isMulti)}
      onCopy={() => props.onCopyColumn(index)}
      onFormat={onFormat && (() => onFormat(fields[index]!.name))}
      onResize={headers[index]?.getResizeHandler()}
    />
  )
  return (
    <div role="rowgroup" className="sticky top-0 z-2 min-w-full" style={{ width: props.width }}>
      <div role="row" aria-rowindex={1} className="relative border-b border-line-strong bg-raised" style={{ height: headerHeight }}>
        <div
          role="presentation"
          className="sticky left-0 z-2 h-full bg-raised"
          style={{ width: gutterWidth + (isPinned && first ? first.size : 0) }}
        >
          <div
            role="columnheader"
            aria-colindex={1}
            className="flex h-full items-center justify-end border-r border-line pr-2 text-xs text-soft"
            style={{ width: gutterWidth }}
          >
            <span aria-hidden="true">#</span>
            <span className="sr-only">Row number</span>
          </div>
          {isPinned && first && header(first)}
        </div>
        {props.columns.slice(isPinned ? 1 : 0).map(header)}
      </div>
    </div>
  )
}

const directions = { asc: 'ascending', desc: 'descending' } as const

function ColumnHeader(props: {
  id: string
  field: Field
  title: string
  at: number
  column: Column
  left: number
  width: number
  isActive: boolean
  onSort(isMulti: boolean): void
  onCopy(): void
  onFormat: (() => void) | undefined
  onResize: ((event: unknown) => void) | undefined
}) {
  const { field, title, column } = props
  const sorted = column.getIsSorted()
  const Arrow = sorted === 'desc' ? ArrowDown : ArrowUp
  return (
    <div
      role="columnheader"
      id={props.id}
      aria-colindex={props.at + 2}
      aria-sort={sorted ? directions[sorted] : 'none'}
      className={classNames(
        'group absolute top-0 flex h-full items-stretch border-r border-line',
        props.isActive && 'shadow-[inset_0_0_0_2px_var(--focus)]',
      )}
      style={{ left: props.left, width: props.width }}
    >
      <button
        type="button"
        tabIndex={-1}
        title={`Sort by ${title} (Shift+click to sort by several columns)`}
        className={classNames('grid min-w-0 flex-1 content-center px-3 text-left', isNumeric(field.type) && 'text-right')}
        onClick={(event) => props.onSort(event.shiftKey)}
      >
        <span className={classNames('flex items-center gap-1', isNumeric(field.type) && 'flex-row-reverse')}>
          <span className="truncate font-medium">{title}</span>
          {sorted && <Arrow className="size-3.5 shrink-0 text-accent" aria-hidden="true" />}
        </span>
        <span className="truncate text-[0.7rem] leading-4 text-soft">{typeLabel(field)}</span>
      </button>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            tabIndex={-1}
            aria-label={`Column ${title}`}
            className="absolute right-1.5 bottom-1 hidden size-5 items-center justify-center rounded bg-raised text-soft group-hover:inline-flex hover:text-ink data-[state=open]:inline-flex [&_svg]:size-3.5"
          >
            <ChevronDown aria-hidden="true" />
          </button>
        }
      >
        <MenuItem icon={<ArrowDownNarrowWide />} onSelect={() => column.toggleSorting(false)}>Sort ascending</MenuItem>
        <MenuItem icon={<ArrowDownWideNarrow />} onSelect={() => column.toggleSorting(true)}>Sort descending</MenuItem>
        {sorted && <MenuItem icon={<X />} onSelect={() => column.clearSorting()}>Clear sorting</MenuItem>}
        <MenuDivider />
        <MenuItem icon={<Copy />} onSelect={props.onCopy}>Copy column</MenuItem>
        {props.onFormat && <MenuItem icon={<SlidersHorizontal />} onSelect={props.onFormat}>Format column</MenuItem>}
      </Menu>
      <div
        aria-hidden="true"
        className="absolute top-0 -right-1 z-1 h-full w-2 cursor-col-resize touch-none hover:bg-accent/40"
        onMouseDown={props.onResize}
        onTouchStart={props.onResize}
        onDoubleClick={() => column.resetSize()}
      />
    </div>
  )
}
