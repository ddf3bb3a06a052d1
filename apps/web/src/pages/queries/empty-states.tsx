import { useQuery } from '@tanstack/react-query'
import { Plus, SearchX, SquareCode } from 'lucide-react'
import { databasesOptions } from '../../api/databases.ts'
import type { ReferenceFilters } from '../../api/references.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Works in every supported database. */
const exampleSql = `-- Tables in this database
select table_schema, table_name, table_type
from information_schema.tables
order by table_schema, table_name`

export function NoQueries() {
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
            <ButtonLink href={paths.newQuery({ database, sql: exampleSql })}>Start from an example</ButtonLink>
          )}
        </>
      }
    >
      <p>Run SQL, view the result as a table or chart, and save it with a link you can share.</p>
    </EmptyState>
  )
}

function NoDatabase() {
  return (
    <EmptyState
      title="No databases yet"
      icon={<SquareCode />}
      action={<ButtonLink kind="primary" href={paths.databases}>Open databases</ButtonLink>}
    >
      <p>Queries run against a database. An admin can connect one or upload a file.</p>
    </EmptyState>
  )
}

export function NoMatches({ filters, onClear }: { filters: ReferenceFilters; onClear(): void }) {
  const { search, database, isMine } = filters
  const hasMore = database !== '' || isMine
  return (
    <EmptyState
      title={search === '' ? 'No queries match these filters' : `No results for “${search}”`}
      icon={<SearchX />}
      action={
        <>
          <Button onClick={onClear}>{search !== '' && !hasMore ? 'Clear search' : 'Clear filters'}</Button>
          <ButtonLink kind="ghost" icon={<Plus />} href={paths.newQuery()}>New query</ButtonLink>
        </>
      }
    >
      <p>Search matches the beginning of words in titles, descriptions and SQL. Every word must match.</p>
    </EmptyState>
  )
}

/** The service has searched only the newest queries; the button below the list searches older ones. */
export function NoMatchesYet() {
  return (
    <EmptyState title="No matches among your newest queries" icon={<SearchX />}>
      <p>Load more to search older ones.</p>
    </EmptyState>
  )
}
