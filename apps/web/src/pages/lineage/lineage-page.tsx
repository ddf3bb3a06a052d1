import { useQuery } from '@tanstack/react-query'
import { lineageOptions } from '../../api/lineage.ts'
import { referenceOptions } from '../../api/references.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { ReadsList } from './reads-list.tsx'
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
            <Card title="Reads"><ReadsList lineage={found} /></Card>
            <Card title="Used by">
              <UsersList users={found.usedBy} nothing="No query, board or automation uses this query." />
            </Card>
          </div>
        )}
      </Loaded>
    </div>
  )
}
