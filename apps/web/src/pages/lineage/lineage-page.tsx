import { useQuery } from '@tanstack/react-query'
import { lineageOptions, type ReferenceLineage } from '../../api/lineage.ts'
import { referenceOptions } from '../../api/references.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Hint } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { UsersList } from './users-list.tsx'

/** `/q/:shortId/lineage`: what a query reads, and what uses it. */
export function LineagePage({ shortId }: { shortId: string }) {
  const reference = useQuery(referenceOptions(shortId))
  const lineage = useQuery(lineageOptions(shortId))
  const title = reference.data?.title
  useTitle(title === undefined ? 'Lineage' : `Lineage of ${title}`)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 [&>.page-head]:mb-0">
      <PageHead
        title="Lineage"
        description="What this query reads, and what uses it"
        above={title !== undefined && <TextLink href={paths.permalink(shortId)}>{title}</TextLink>}
      />
      <Loaded query={lineage}>
        {(found) => (
          <div className="grid gap-5 lg:grid-cols-2">
            <Card title="Reads"><Reads lineage={found} /></Card>
            <Card title="Used by">
              <UsersList users={found.usedBy} nothing="No query, board or automation uses this query." />
            </Card>
          </div>
        )}
      </Loaded>
    </div>
  )
}

function Reads({ lineage: { tables, references, isComplete } }: { lineage: ReferenceLineage }) {
  return (
    <div className="grid gap-3">
      {tables.length + references.length === 0 && <p className="text-soft">No tables found in the SQL.</p>}
      <ul className="grid gap-2 [overflow-wrap:anywhere]">
        {references.map(({ shortId, title }) => (
          <li key={shortId}><TextLink href={paths.permalink(shortId)}>{title}</TextLink></li>
        ))}
        {tables.map((table) => (
          <li key={`${table.schema}.${table.name}`}>
            <TableName table={table} />
            <p className="text-sm text-soft">{columnsOf(table)}</p>
          </li>
        ))}
      </ul>
      {!isComplete && <Hint>The SQL may read more tables, for example with a table function.</Hint>}
    </div>
  )
}

type ReadTable = ReferenceLineage['tables'][number]

function TableName({ table: { analyticalDatabaseConfigId, schema, name } }: { table: ReadTable }) {
  if (schema === null) return <span>{name}</span>
  return <TextLink href={paths.tableUsers(analyticalDatabaseConfigId, { schema, table: name })}>{schema}.{name}</TextLink>
}

function columnsOf({ columns, readsAllColumns }: ReadTable): string {
  if (readsAllColumns) return 'All columns'
  return columns.length === 0 ? 'No columns found in the SQL' : columns.join(', ')
}
