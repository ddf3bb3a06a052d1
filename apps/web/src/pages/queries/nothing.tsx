import { useQuery } from '@tanstack/react-query'
import { Plus, SearchX, SquareCode } from 'lucide-react'
import { databasesOptions } from '../../api/databases.ts'
import type { ReferenceFilters } from '../../api/references.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Something that answers in every database. */
const exampleSql = `-- What this database holds
select table_schema, table_name, table_type
from information_schema.tables
order by table_schema, table_name`

export function NothingYet() {
  const { data: databases } = useQuery(databasesOptions())
  const database = databases?.[0]?.id
  if (databases && database === undefined) return <NoDatabase />
  return (
    <EmptyState
      title="Write your first query"
      icon={<SquareCode />}
      action={
        <>
          <ButtonLink kind="primary" icon={<Plus />} href={paths.newQuery()}>New query</ButtonLink>
          {database !== undefined && (
            <ButtonLink href={paths.newQuery({ database, sql: exampleSql })}>Begin with an example</ButtonLink>
          )}
        </>
      }
    >
      <p>Run SQL against a database, look at the result as a table or a chart, and save it. Saved queries stand here, each with a link that you can share.</p>
    </EmptyState>
  )
}

function NoDatabase() {
  return (
    <EmptyState
      title="Connect a database first"
      icon={<SquareCode />}
      action={<ButtonLink kind="primary" href={paths.databases}>Databases</ButtonLink>}
    >
      <p>Queries run against a database, and there is none yet. An admin can add one, or upload a file into a new one.</p>
    </EmptyState>
  )
}

export function NothingFound({ filters, onClear }: { filters: ReferenceFilters; onClear(): void }) {
  const { search, database, isMine } = filters
  const hasMore = database !== '' || isMine
  return (
    <EmptyState
      title={search === '' ? 'No query fits these filters' : `Nothing found for “${search}”`}
      icon={<SearchX />}
      action={
        <>
          <Button onClick={onClear}>{search !== '' && !hasMore ? 'Clear the search' : 'Clear all filters'}</Button>
          <ButtonLink kind="ghost" icon={<Plus />} href={paths.newQuery()}>New query</ButtonLink>
        </>
      }
    >
      <p>A query is found when every word begins a word of its title, its description or its SQL.</p>
    </EmptyState>
  )
}

/** The service has looked through the newest queries; the button below the list has it look through older ones. */
export function NothingFoundYet() {
  return (
    <EmptyState title="No matches among your newest queries" icon={<SearchX />}>
      <p>Load more to search older ones.</p>
    </EmptyState>
  )
}
