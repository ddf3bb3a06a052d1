import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Eye, Table2 } from 'lucide-react'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import { type Database, isForSavedQueries, type Table, tablesOptions } from '../../api/databases.ts'
import { defaultSchemaOf } from '../../editor/default-schemas.ts'
import { quoteName, quoteTable } from '../../editor/identifiers.ts'
import { isSavedQuery, titleOf } from '../../editor/saved-query-completion.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'

/** The tables of a database and their columns; a click inserts a name into the SQL. */
export function SchemaPanel({ database, onInsert }: { database: Database; onInsert(name: string): void }) {
  const tables = useQuery(tablesOptions(database.id))
  const [search, setSearch] = useState('')
  // Letters appear while the list is being searched.
  const wanted = useDeferredValue(search.trim().toLowerCase())
  return (
    <div className="grid max-h-full min-h-0 grid-rows-[auto_minmax(0,1fr)] gap-2">
      <TextInput
        type="search"
        aria-label="Search tables and columns"
        placeholder="Search tables and columns"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className="min-h-0 overflow-y-auto">
        <Loaded query={tables}>
          {(all) => <TableList tables={all} database={database} wanted={wanted} onInsert={onInsert} />}
        </Loaded>
      </div>
    </div>
  )
}

const TableList = memo(function TableList({ tables, database, wanted, onInsert }: {
  tables: Table[]
  database: Database
  wanted: string
  onInsert(name: string): void
}) {
  const naming = { dialect: database.engine, defaultSchema: defaultSchemaOf(database) }
  const searched = useMemo(() => tables.map((table) => ({ table, text: searchedText(table) })), [tables])
  const found = useMemo(() => searched.filter(({ text }) => text.includes(wanted)), [searched, wanted])
  if (tables.length === 0) return <p className="px-1 text-soft">{isForSavedQueries(database) ? 'No saved queries yet.' : 'This database has no tables.'}</p>
  if (found.length === 0) return <p className="px-1 text-soft">No matching tables or columns.</p>
  return (
    <ul className="grid">
      {found.slice(0, shownMax).map(({ table }) => (
        <TableItem
          key={`${table.schema}.${table.name}`}
          table={table}
          name={quoteTable(table, naming)}
          dialect={database.engine}
          isInitiallyOpen={found.length === 1}
          search={wanted}
          onInsert={onInsert}
        />
      ))}
      {found.length > shownMax && (
        <li className="px-1 py-1.5 text-xs text-soft">
          {found.length - shownMax} more. Search to narrow the list.
        </li>
      )}
    </ul>
  )
})

/** More than anyone scrolls through, and few enough to render at once. */
const shownMax = 200

/** Its name, its title and its columns. A search finds none across two of them: nobody types the line break between them. */
const searchedText = (table: Table) =>
  [`${table.schema}.${table.name} ${isSavedQuery(table) ? titleOf(table) : ''}`, ...table.columns.map(({ name }) => name)].join('\n').toLowerCase()

const row = 'flex min-h-6 min-w-0 items-center gap-1.5 rounded px-1 py-0.5 text-left hover:bg-raised'

const TableItem = memo(function TableItem(props: {
  table: Table
  name: string
  dialect: Database['engine']
  isInitiallyOpen: boolean
  search: string
  onInsert(name: string): void
}) {
  const { table, name } = props
  const [isOpen, setIsOpen] = useState(props.isInitiallyOpen)
  const Icon = table.kind === 'view' ? Eye : Table2
  return (
    <li>
      <div className="flex items-center">
        <button
          type="button"
          className="flex size-6 shrink-0 items-center justify-center rounded text-soft hover:bg-raised hover:text-ink"
          aria-expanded={isOpen}
          aria-label={`Columns of ${isSavedQuery(table) ? titleOf(table) : name}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          <ChevronRight className={`size-3.5 transition-transform ${isOpen ? 'rotate-90' : ''}`} aria-hidden="true" />
        </button>
        <Tooltip text={`Insert ${name}`}>
          <button type="button" className={`${row} flex-1`} onClick={() => props.onInsert(name)}>
            <Icon className="size-3.5 shrink-0 text-soft" aria-hidden="true" />
            <span className="truncate">{isSavedQuery(table) ? titleOf(table) : name}</span>
          </button>
        </Tooltip>
      </div>
      {isOpen && (
        <ul className="mb-1 ml-6 grid border-l border-line pl-1">
          {table.columns.map((column) => (
            <li key={column.name}>
              <button
                type="button"
                className={`${row} w-full`}
                onClick={() => props.onInsert(quoteName(column.name, props.dialect))}
              >
                <span className={`truncate ${props.search !== '' && column.name.toLowerCase().includes(props.search) ? 'font-semibold' : ''}`}>
                  {column.name}
                </span>
                <span className="ml-auto shrink-0 pl-2 text-[0.7rem] text-soft">{column.type.toLowerCase()}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
})
