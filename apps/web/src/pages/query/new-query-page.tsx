import { useQuery } from '@tanstack/react-query'
import { Database as DatabaseIcon } from 'lucide-react'
import { useState } from 'react'
import { type Database, databasesOptions } from '../../api/databases.ts'
import { useIsAdmin } from '../../api/session.ts'
import { useLocation } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { DraftedWorkbench } from './drafted-workbench.tsx'
import { SaveAction } from './save-action.tsx'

/** `/queries/new?database=&sql=` */
export function NewQueryPage() {
  useTitle('New query')
  const databases = useQuery(databasesOptions())
  return <Loaded query={databases}>{(items) => (items.length === 0 ? <NoDatabase /> : <NewQuery databases={items} />)}</Loaded>
}

function NewQuery({ databases }: { databases: Database[] }) {
  const { search } = useLocation()
  // Only what the page was opened with: the text is the person's own from then on.
  const [asked] = useState(() => new URLSearchParams(search))
  const sql = asked.get('sql') ?? ''
  const databaseId = databases.find(({ id }) => id === asked.get('database'))?.id ?? databases[0]!.id
  return (
    <DraftedWorkbench
      // What a link brought along is another text than the one that was begun here.
      page={sql === '' ? 'new' : `new.${sql}`}
      title="New query"
      databases={databases}
      beginning={{ sql, databaseId, parameters: noParameters, values: {}, visualization: null, queryId: null }}
      actions={(state, dropDraft) => <SaveAction state={state} onSaved={dropDraft} />}
    />
  )
}

const noParameters: never[] = []

function NoDatabase() {
  const isAdmin = useIsAdmin()
  return (
    <EmptyState
      isPage
      title="There is no database to query yet"
      icon={<DatabaseIcon />}
      {...(isAdmin && { action: <ButtonLink kind="primary" href={paths.databases}>Add a database</ButtonLink> })}
    >
      <p>{isAdmin ? 'Add one, or upload a file, and write your first query.' : 'Ask an admin of your organization to add one.'}</p>
    </EmptyState>
  )
}
