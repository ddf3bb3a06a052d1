import { useQuery } from '@tanstack/react-query'
import { Pencil, Table2 } from 'lucide-react'
import { useState } from 'react'
import { type CatalogTable, type DbtTable, foundTablesOptions } from '../../api/knowledge.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { DbtImports } from './dbt-imports.tsx'
import { TableDialog } from './table-dialog.tsx'

const settleMs = 200

/** The tables of all databases, with what is known about them. */
export function TablesTab({ isAdmin }: { isAdmin: boolean }) {
  const [search, setSearch] = useState('')
  const searched = useDebounced(search.trim(), settleMs)
  // The first request may read the schemas of all databases. A search in the meantime would find nothing.
  const all = useQuery(foundTablesOptions(''))
  const found = useQuery({ ...foundTablesOptions(searched), enabled: all.isSuccess })
  const query = all.isSuccess ? found : all
  const [edited, setEdited] = useState<CatalogTable>()
  return (
    <div className="grid max-w-3xl gap-4">
      <TextInput
        type="search"
        aria-label="Search tables"
        placeholder="Search tables, columns and descriptions"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Loaded query={query}>
        {({ items, isComplete }) =>
          items.length === 0 ? (
            <NoTables search={searched} />
          ) : (
            <>
              <Card>
                <ul className="divide-y divide-line" aria-label="Tables" aria-busy={query.isPlaceholderData}>
                  {items.map((table) => (
                    <TableItem key={keyOf(table)} table={table} onEdit={isAdmin ? () => setEdited(table) : undefined} />
                  ))}
                </ul>
              </Card>
              {!isComplete && <p className="text-soft">There are more tables. Search to find them.</p>}
            </>
          )
        }
      </Loaded>
      <DbtImports isAdmin={isAdmin} />
      {edited && <TableDialog key={keyOf(edited)} table={edited} onClose={() => setEdited(undefined)} />}
    </div>
  )
}

const keyOf = ({ databaseId, schema, name }: CatalogTable) => JSON.stringify([databaseId, schema, name])

function NoTables({ search }: { search: string }) {
  if (search !== '') return <p className="text-soft" role="status">No results for “{search}”</p>
  return (
    <EmptyState
      title="No tables yet"
      icon={<Table2 />}
      action={<ButtonLink href={paths.databases}>Open databases</ButtonLink>}
    >
      <p>Connect a database to describe its tables for agents.</p>
    </EmptyState>
  )
}

function TableItem({ table, onEdit }: { table: CatalogTable; onEdit: (() => void) | undefined }) {
  const { schema, name, databaseName, columns, columnCount } = table
  const about = table.description ?? table.dbt?.description ?? table.comment
  const describedCount = columns.filter((column) => (column.description ?? column.dbtDescription ?? column.comment) !== null).length
  return (
    <li className="flex items-start gap-3 p-4">
      <div className="mr-auto grid min-w-0 gap-1 [overflow-wrap:anywhere]">
        <p>
          <span className="font-medium">{schema}.{name}</span> <span className="text-soft">in {databaseName}</span>
        </p>
        {about === null ? <p className="text-soft">No description</p> : <p>{about}</p>}
        <p className="text-xs text-soft">
          {columnCount === 1 ? '1 column' : `${columnCount} columns`}, {describedCount} described
        </p>
        {table.dbt && <FromDbt table={table.dbt} />}
      </div>
      {onEdit && <IconButton label={`Describe ${schema}.${name}`} icon={<Pencil />} onClick={onEdit} />}
    </li>
  )
}

/** Where the table comes from, with links to its page and its file. */
function FromDbt({ table }: { table: DbtTable }) {
  const { kind, builtFrom, docsUrl, sourceUrl, file, freshness } = table
  return (
    <p className="text-xs text-soft">
      From dbt: {kind}
      {builtFrom.length > 0 && `, built from ${builtFrom.join(', ')}`}
      {freshness && `, freshness: ${freshness.status}`}
      {docsUrl !== null && (
        <>
          {' · '}
          <a className="text-accent underline" href={docsUrl} target="_blank" rel="noreferrer">
            dbt docs
          </a>
        </>
      )}
      {sourceUrl !== null && (
        <>
          {' · '}
          <a className="text-accent underline" href={sourceUrl} target="_blank" rel="noreferrer">
            {file}
          </a>
        </>
      )}
    </p>
  )
}
