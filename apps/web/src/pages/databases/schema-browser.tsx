import { ChevronRight, Eye, Search, Table2 } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Column, Table } from '../../api/databases.ts'
import { classNames } from '../../ui/class-names.ts'
import { TextInput } from '../../ui/inputs.tsx'
import { useHotkey } from '../../ui/use-hotkey.ts'
import { type ShownTable, showSchemas, tableKey } from './schema-tree.ts'

const count = new Intl.NumberFormat(undefined, { notation: 'compact' })
const rows = (estimate: number) => (estimate === 1 ? '1 row' : `${count.format(estimate)} rows`)

/** What a database holds, as a tree: schemas, their tables, and the columns of the one that is looked at. */
export function SchemaBrowser(props: {
  tables: Table[]
  chosen: string | undefined
  onChoose(table: Table | undefined): void
}) {
  const { tables, chosen, onChoose } = props
  const [search, setSearch] = useState('')
  const searchBox = useRef<HTMLDivElement>(null)
  useHotkey('/', () => searchBox.current?.querySelector('input')?.focus())
  const schemas = showSchemas(tables, search)
  return (
    <section aria-label="Tables" className="grid min-w-0 content-start gap-2">
      <div ref={searchBox} className="relative">
        <Search className="pointer-events-none absolute top-2.5 left-2.5 size-3.5 text-soft" aria-hidden="true" />
        <TextInput
          type="search"
          aria-label="Search tables and columns"
          placeholder="Tables and columns"
          className="pl-8"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <div
        className="max-h-[45dvh] overflow-y-auto rounded-lg border border-line bg-surface p-1.5 lg:max-h-[calc(100dvh-14rem)]"
        onKeyDown={moveWithArrows}
      >
        {schemas.map(({ schema, tables: shown }) => (
          <div key={schema}>
            {(schemas.length > 1 || schema !== 'main') && (
              <h2 className="px-2 pt-2 pb-1 text-xs text-soft">{schema}</h2>
            )}
            <ul aria-label={`Tables of ${schema}`}>
              {shown.map((one) => (
                <TableNode
                  key={tableKey(one.table)}
                  one={one}
                  isChosen={tableKey(one.table) === chosen}
                  onChoose={onChoose}
                />
              ))}
            </ul>
          </div>
        ))}
        {schemas.length === 0 && (
          <p className="px-2 py-3 text-soft" role="status">No table or column is called “{search.trim()}”.</p>
        )}
      </div>
    </section>
  )
}

function TableNode(props: { one: ShownTable; isChosen: boolean; onChoose(table: Table | undefined): void }) {
  const { one: { table, foundColumns }, isChosen, onChoose } = props
  const Icon = table.kind === 'view' ? Eye : Table2
  const columns = foundColumns ?? (isChosen ? table.columns : [])
  return (
    <li>
      <button
        type="button"
        data-table
        aria-expanded={isChosen}
        className={classNames(
          'flex w-full min-w-0 items-center gap-1.5 rounded-md px-2 py-1.5 text-left hover:bg-raised',
          isChosen && 'bg-accent-wash text-accent',
        )}
        onClick={() => onChoose(isChosen ? undefined : table)}
      >
        <ChevronRight className={classNames('size-3.5 shrink-0', isChosen && 'rotate-90')} aria-hidden="true" />
        <Icon className="size-4 shrink-0" aria-hidden="true" />
        <span className="mr-auto min-w-0 truncate" title={table.name}>{table.name}</span>
        <span className={classNames('shrink-0 text-xs tabular-nums', !isChosen && 'text-soft')}>
          {table.rowEstimate === null ? 'view' : rows(table.rowEstimate)}
        </span>
      </button>
      {columns.length > 0 && <Columns columns={columns} table={table.name} />}
    </li>
  )
}

function Columns({ columns, table }: { columns: Column[]; table: string }) {
  return (
    <ul className="my-1 ml-4 border-l border-line pl-3.5" aria-label={`Columns of ${table}`}>
      {columns.map(({ name, type, nullable }) => (
        <li key={name} className="flex items-baseline gap-2 py-0.5">
          <span className="mr-auto min-w-0 truncate" title={name}>{name}</span>
          <span
            className="max-w-[50%] truncate font-mono text-xs text-soft"
            title={nullable ? type : `${type}, never null`}
          >
            {type.toLowerCase()}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Up and down go from table to table, as in any tree. */
function moveWithArrows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const nodes = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('[data-table]')]
  const at = nodes.indexOf(document.activeElement as HTMLButtonElement)
  if (at === -1) return
  event.preventDefault()
  nodes[at + step]?.focus()
}
