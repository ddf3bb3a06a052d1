import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BadgeCheck } from 'lucide-react'
import { unverifyReference, type VerifiedQuery, verifiedQueriesOptions, verifyReference } from '../../api/knowledge.ts'
import { messageOf } from '../../api/request.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'

export function VerifiedQueriesTab({ isAdmin }: { isAdmin: boolean }) {
  const query = useQuery(verifiedQueriesOptions)
  return (
    <Loaded query={query}>
      {(queries) =>
        queries.length === 0 ? (
          <EmptyState
            title="Verify the queries you trust"
            icon={<BadgeCheck />}
            action={<ButtonLink href={paths.queries}>Open queries</ButtonLink>}
          >
            <p>Agents answer with verified queries first. {isAdmin ? 'Open a query and choose Verify query in its menu.' : 'Admins verify them.'}</p>
          </EmptyState>
        ) : (
          <Card className="max-w-3xl">
            <ul className="divide-y divide-line" aria-label="Verified queries">
              {queries.map((each) => <VerifiedItem key={each.shortId} query={each} isAdmin={isAdmin} />)}
            </ul>
          </Card>
        )
      }
    </Loaded>
  )
}

function VerifiedItem({ query, isAdmin }: { query: VerifiedQuery; isAdmin: boolean }) {
  const { shortId, title, description, verification } = query
  const client = useQueryClient()
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ['knowledge'] })
    void client.invalidateQueries({ queryKey: ['references'] })
  }
  const verifying = useMutation({ mutationFn: () => verifyReference(shortId), onSuccess: refresh })
  const removing = useMutation({ mutationFn: () => unverifyReference(shortId), onSuccess: refresh })
  const error = verifying.error ?? removing.error
  return (
    <li className="grid gap-2 p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="mr-auto grid min-w-0 grow basis-64 justify-items-start gap-1 [overflow-wrap:anywhere]">
          <TextLink href={paths.permalink(shortId)} className="font-medium">{title}</TextLink>
          {description !== null && <p className="line-clamp-2 text-soft">{description}</p>}
          <VerifiedBadge verification={verification} isInFull />
        </div>
        {isAdmin && (
          <div className="flex flex-wrap gap-2">
            {verification.isOutdated && (
              <Button size="small" isBusy={verifying.isPending} onClick={() => verifying.mutate()} aria-label={`Verify ${title} again`}>
                Verify again
              </Button>
            )}
            <Button size="small" isBusy={removing.isPending} onClick={() => removing.mutate()} aria-label={`Remove mark from ${title}`}>
              Remove mark
            </Button>
          </div>
        )}
      </div>
      {error && <Problem message={messageOf(error)} />}
    </li>
  )
}
