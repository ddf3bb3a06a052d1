import { useQuery } from '@tanstack/react-query'
import { type Database, databasesOptions } from '../../api/databases.ts'
import { type QueryInFull, queryOptionsOf } from '../../api/queries.ts'
import { referenceOptions } from '../../api/references.ts'
import { paths } from '../../paths.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { DraftedWorkbench } from './drafted-workbench.tsx'
import { SaveAction } from './save-action.tsx'

/** `/queries/:queryId`: a stored query, with or without a permalink. Edited SQL becomes another query. */
export function QueryPage({ queryId }: { queryId: string }) {
  useTitle('Query')
  const databases = useQuery(databasesOptions())
  const query = useQuery(queryOptionsOf(queryId))
  return (
    <Loaded query={query}>
      {(stored) => <Loaded query={databases}>{(items) => <StoredQuery query={stored} databases={items} />}</Loaded>}
    </Loaded>
  )
}

function StoredQuery({ query, databases }: { query: QueryInFull; databases: Database[] }) {
  const first = query.references[0]
  // Runs of a query use the parameters of its oldest reference, so the page does too.
  const reference = useQuery({ ...referenceOptions(first?.shortId ?? ''), enabled: first !== undefined })
  if (first && reference.isPending) return null
  return (
    <DraftedWorkbench
      page={`query.${query.id}`}
      title="Query"
      above={
        query.references.length > 0 && (
          <>
            Saved as{' '}
            {query.references.map(({ shortId, title }, at) => (
              <span key={shortId}>
                {at > 0 && ', '}
                <TextLink href={paths.permalink(shortId)}>{title}</TextLink>
              </span>
            ))}
          </>
        )
      }
      databases={databases}
      initial={{
        sql: query.sql,
        databaseId: query.analyticalDatabaseConfigId,
        parameters: reference.data?.parameters ?? noParameters,
        values: {},
        visualization: reference.data?.visualization ?? null,
        queryId: query.id,
      }}
      actions={(state, deleteDraft) => <SaveAction state={state} onSaved={deleteDraft} />}
    />
  )
}

const noParameters: never[] = []
