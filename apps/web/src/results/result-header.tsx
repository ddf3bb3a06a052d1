import { type ColumnSettings, columnTitle } from '@querypost/visualization'
import type { VirtualItem } from '@tanstack/react-virtual'
import { ArrowDown, ArrowDownNarrowWide, ArrowDownWideNarrow, ArrowUp, ChevronDown, Copy, SlidersHorizontal, X } from 'lucide-react'
import { memo, useLayoutEffect, useRef, useState } from 'react'
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

interface HeaderProps {
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
}

export function ResultHeader(props: HeaderProps) {
  const { fields, settings, table, gutterWidth, isPinned } = props
  const actions = useActions(props)
  const [first] = props.columns
  const header = ({ index, start, size }: VirtualItem) => (
    <ColumnHeader
      key={index}
      id={`${props.id}-${headerRow}-${index}`}
      field={fields[index]!}
      title={columnTitle(fields[index]!, settings[index])}
      at={index}
      sorted={table.getColumn(String(index))!.getIsSorted()}
      left={gutterWidth + start}
      width={size}
      isActive={props.activeColumn === index}
      canFormat={props.onFormat !== undefined}
      actions={actions}
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

/** What can be done with the column at an index. */
interface ColumnActions {
  sort(at: number, isMulti: boolean): void
  sortBy(at: number, direction: 'asc' | 'desc'): void
  clearSorting(at: number): void
  copy(at: number): void
  format(at: number): void
  resize(at: number, event: unknown): void
  resetSize(at: number): void
}

/** The same functions in every rendering, so that only columns that come into view are rendered while somebody scrolls sideways. */
function useActions(props: HeaderProps): ColumnActions {
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const columnAt = (at: number) => latest.current.table.getColumn(String(at))!
  const [actions] = useState<ColumnActions>(() => ({
    sort: (at, isMulti) => latest.current.onSort(at, isMulti),
    sortBy: (at, direction) => columnAt(at).toggleSorting(direction === 'desc'),
    clearSorting: (at) => columnAt(at).clearSorting(),
    copy: (at) => latest.current.onCopyColumn(at),
    format: (at) => latest.current.onFormat?.(latest.current.fields[at]!.name),
    resize: (at, event) => latest.current.table.getHeaderGroups()[0]?.headers[at]?.getResizeHandler()(event),
    resetSize: (at) => columnAt(at).resetSize(),
  }))
  return actions
}

const directions = { asc: 'ascending', desc: 'descending' } as const

const ColumnHeader = memo(function ColumnHeader(props: {
  id: string
  field: Field
  title: string
  at: number
  sorted: false | 'asc' | 'desc'
  left: number
  width: number
  isActive: boolean
  canFormat: boolean
  actions: ColumnActions
}) {
  const { field, title, at, sorted, actions } = props
  const Arrow = sorted === 'desc' ? ArrowDown : ArrowUp
  return (
    <div
      role="columnheader"
      id={props.id}
      aria-colindex={at + 2}
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
        onClick={(event) => actions.sort(at, event.shiftKey)}
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
        <MenuItem icon={<ArrowDownNarrowWide />} onSelect={() => actions.sortBy(at, 'asc')}>Sort ascending</MenuItem>
        <MenuItem icon={<ArrowDownWideNarrow />} onSelect={() => actions.sortBy(at, 'desc')}>Sort descending</MenuItem>
        {sorted && <MenuItem icon={<X />} onSelect={() => actions.clearSorting(at)}>Clear sorting</MenuItem>}
        <MenuDivider />
        <MenuItem icon={<Copy />} onSelect={() => actions.copy(at)}>Copy column</MenuItem>
        {props.canFormat && <MenuItem icon={<SlidersHorizontal />} onSelect={() => actions.format(at)}>Format column</MenuItem>}
      </Menu>
      <div
        aria-hidden="true"
        className="absolute top-0 -right-1 z-1 h-full w-2 cursor-col-resize touch-none hover:bg-accent/40"
        onMouseDown={(event) => actions.resize(at, event)}
        onTouchStart={(event) => actions.resize(at, event)}
        onDoubleClick={() => actions.resetSize(at)}
      />
    </div>
  )
})
