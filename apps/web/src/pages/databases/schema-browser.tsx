import { ChevronRight, Eye, Search, Table2 } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { Column, Table } from '../../api/databases.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { TextInput } from '../../ui/inputs.tsx'
import { useHotkey } from '../../ui/use-hotkey.ts'
import {
  startsOpen,
  shownAtOnce,
  type ShownSchema,
  type ShownTable,
  showSchemas,
  tableKey,
} from './schema-tree.ts'

const count = new Intl.NumberFormat(undefined, { notation: 'compact' })
const rows = (estimate: number) => (estimate === 1 ? '1 row' : `${count.format(estimate)} rows`)

/** The schemas of a database as a tree, with their tables and the columns of the chosen table. */
export function SchemaBrowser(props: {
  tables: Table[]
  /** Tables in this schema are shown without its name. */
  defaultSchema: string
  chosen: string | undefined
  onChoose(table: Table | undefined): void
}) {
  const { tables, defaultSchema, chosen, onChoose } = props
  const [search, setSearch] = useState('')
  const searchBox = useRef<HTMLDivElement>(null)
  useHotkey('/', () => searchBox.current?.querySelector('input')?.focus())
  // Searching thousands of tables must not delay typing.
  const searched = useDeferredValue(search)
  const schemas = useMemo(() => {
    const found = showSchemas(tables, searched)
    const isDefault = ({ schema }: ShownSchema) => schema === defaultSchema
    return [...found.filter(isDefault), ...found.filter((one) => !isDefault(one))]
  }, [tables, searched, defaultSchema])
  const context = { tableCount: tables.length, defaultSchema, search: searched, chosen }
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
        {schemas.map((shown) => (
          <SchemaNode
            // Schemas opened by a search close again when it ends.
            key={`${shown.schema} ${searched.trim() !== ''}`}
            shown={shown}
            hasHeading={schemas.length > 1 || shown.schema !== defaultSchema}
            startsOpen={startsOpen(shown, context)}
            chosen={chosen}
            onChoose={onChoose}
          />
        ))}
        {schemas.length === 0 && (
          <p className="px-2 py-3 text-soft" role="status">No results for “{searched.trim()}”</p>
        )}
      </div>
    </section>
  )
}

function SchemaNode(props: {
  shown: ShownSchema
  hasHeading: boolean
  startsOpen: boolean
  chosen: string | undefined
  onChoose(table: Table | undefined): void
}) {
  const { schema, tables } = props.shown
  const [isOpen, setIsOpen] = useState(props.startsOpen)
  const [shownCount, setShownCount] = useState(shownAtOnce)
  const rest = tables.length - shownCount
  return (
    <div>
      {props.hasHeading && (
        <h2 className="text-xs font-normal text-soft">
          <button
            type="button"
            className="flex w-full min-w-0 items-center gap-1.5 rounded-md px-2 pt-2 pb-1 text-left hover:text-ink"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <ChevronRight className={classNames('size-3 shrink-0', isOpen && 'rotate-90')} aria-hidden="true" />
            <span className="truncate" title={schema}>{schema}</span>
            {!isOpen && <span className="ml-auto shrink-0 tabular-nums">{count.format(tables.length)}</span>}
          </button>
        </h2>
      )}
      {isOpen && (
        <ul aria-label={`Tables of ${schema}`}>
          {tables.slice(0, shownCount).map((one) => (
            <TableNode
              key={tableKey(one.table)}
              one={one}
              isChosen={tableKey(one.table) === props.chosen}
              onChoose={props.onChoose}
            />
          ))}
        </ul>
      )}
      {isOpen && rest > 0 && (
        <Button kind="ghost" size="small" onClick={() => setShownCount(shownCount + shownAtOnce)}>
          Show {Math.min(rest, shownAtOnce)} more of {rest}
        </Button>
      )}
    </div>
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
          {table.rowEstimate === null ? (table.kind === 'view' ? 'view' : '') : rows(table.rowEstimate)}
        </span>
      </button>
      {isChosen && table.comment !== null && <p className="my-1 ml-4 pl-3.5 text-xs text-soft [overflow-wrap:anywhere]">{table.comment}</p>}
      {columns.length > 0 && <Columns columns={columns} table={table.name} />}
    </li>
  )
}

function Columns({ columns, table }: { columns: Column[]; table: string }) {
  return (
    <ul className="my-1 ml-4 border-l border-line pl-3.5" aria-label={`Columns of ${table}`}>
      {columns.map(({ name, type, nullable, comment }) => (
        <li key={name} className="py-0.5">
          <span className="flex items-baseline gap-2">
            <span className="mr-auto min-w-0 truncate" title={name}>{name}</span>
            <span
              className="max-w-[50%] shrink-0 truncate pr-2 font-mono text-xs text-soft"
              title={nullable ? type : `${type}, not null`}
            >
              {type.toLowerCase()}
            </span>
          </span>
          {comment !== null && <span className="block text-xs text-soft [overflow-wrap:anywhere]">{comment}</span>}
        </li>
      ))}
    </ul>
  )
}

/** The up and down keys move between tables. */
function moveWithArrows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const nodes = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('[data-table]')]
  const at = nodes.indexOf(document.activeElement as HTMLButtonElement)
  if (at === -1) return
  event.preventDefault()
  nodes[at + step]?.focus()
}
