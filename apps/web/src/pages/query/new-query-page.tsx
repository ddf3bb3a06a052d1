import { useQuery } from '@tanstack/react-query'
import { Database as DatabaseIcon } from 'lucide-react'
import { useState } from 'react'
import { type Database, databasesOptions } from '../../api/databases.ts'
import { useIsAdmin } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { DraftedWorkbench } from './drafted-workbench.tsx'
import { SaveAction } from './save-action.tsx'
import { useLocation } from '../../use-location.ts'

/** `/queries/new?database=&sql=` */
export function NewQueryPage() {
  useTitle('New query')
  const { search } = useLocation()
  // Read the URL only once: from then on the text belongs to the user.
  const [prefill] = useState(() => new URLSearchParams(search))
  const wanted = prefill.get('database')
  const isKnownIn = (items: Database[]) => wanted === null || items.some(({ id }) => id === wanted)
  const databases = useQuery({
    ...databasesOptions(),
    refetchOnMount: ({ state }) => (isKnownIn(state.data ?? []) ? true : 'always'),
  })
  return (
    <Loaded query={databases}>
      {(items) => {
        // A database that was added a moment ago may not be in the list that was loaded before.
        if (!isKnownIn(items) && databases.isFetching) return <Skeleton />
        return items.length === 0 ? <NoDatabase /> : <NewQuery databases={items} prefill={prefill} />
      }}
    </Loaded>
  )
}

function NewQuery({ databases, prefill }: { databases: Database[]; prefill: URLSearchParams }) {
  const sql = prefill.get('sql') ?? ''
  const databaseId = databases.find(({ id }) => id === prefill.get('database'))?.id ?? databases[0]!.id
  return (
    <DraftedWorkbench
      // SQL from a link has its own draft, apart from the one started here.
      page={sql === '' ? 'new' : `new.${sql}`}
      title="New query"
      databases={databases}
      initial={{ sql, databaseId, parameters: noParameters, values: {}, visualization: null, queryId: null }}
      actions={(state, deleteDraft) => <SaveAction state={state} onSaved={deleteDraft} />}
    />
  )
}

const noParameters: never[] = []

function NoDatabase() {
  const isAdmin = useIsAdmin()
  return (
    <EmptyState
      isPage
      title="No databases yet"
      icon={<DatabaseIcon />}
      {...(isAdmin && { action: <ButtonLink kind="primary" href={paths.databases}>Add database</ButtonLink> })}
    >
      <p>
        {isAdmin
          ? 'Connect a database or upload a file to write your first query.'
          : 'Queries run against a database. Ask an admin to add one.'}
      </p>
    </EmptyState>
  )
}
