import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { knowledgeHistoryOptions, type KnowledgeVersion, restoreVersion } from '../../api/knowledge.ts'
import { messageOf } from '../../api/request.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { describeChange } from './describe-change.ts'

/** Who changed what, newest first. Admins can restore earlier versions. */
export function HistoryTab({ isAdmin }: { isAdmin: boolean }) {
  const query = useInfiniteQuery(knowledgeHistoryOptions)
  return (
    <div className="grid max-w-3xl gap-4">
      <Loaded query={query}>
        {(versions) =>
          versions.length === 0 ? (
            <EmptyState title="No changes yet" icon={<History />}>
              <p>Every change is kept here, with its author. Earlier versions can be restored.</p>
            </EmptyState>
          ) : (
            <Card>
              <ul className="divide-y divide-line" aria-label="Changes">
                {versions.map((version) => <VersionItem key={version.id} version={version} isAdmin={isAdmin} />)}
              </ul>
            </Card>
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <div><Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>Load more</Button></div>
      )}
    </div>
  )
}

function VersionItem({ version, isAdmin }: { version: KnowledgeVersion; isAdmin: boolean }) {
  const { itemId, number, name, before, after, changedBy, changedAt, isCurrent } = version
  const client = useQueryClient()
  const toast = useToast()
  const restoring = useMutation({
    mutationFn: () => restoreVersion({ itemId, number }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['knowledge'] })
      void client.invalidateQueries({ queryKey: ['references'] })
      toast.show({ message: `Restored version ${number} of ${name}.` })
    },
  })
  return (
    <li className="grid gap-2 p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="mr-auto grid min-w-0 grow basis-64 gap-1 [overflow-wrap:anywhere]">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{name}</span> {isCurrent && after !== null && <Badge color="good">Current</Badge>}
          </p>
          <p className="text-xs text-soft">{describeChange(version)} by {changedBy.name}, <RelativeTime at={changedAt} /></p>
        </div>
        {isAdmin && !isCurrent && after !== null && (
          <Button
            size="small"
            isBusy={restoring.isPending}
            onClick={() => restoring.mutate()}
            aria-label={`Restore version ${number} of ${name}`}
          >
            Restore
          </Button>
        )}
      </div>
      {version.kind !== 'verified_query' && <Texts before={before} after={after} />}
      {restoring.error && <Problem message={messageOf(restoring.error)} />}
    </li>
  )
}

function Texts({ before, after }: { before: string | null; after: string | null }) {
  return (
    <details>
      <summary className="w-fit rounded text-xs text-soft hover:text-ink">Show text</summary>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        {before !== null && <Text heading="Before" text={before} />}
        {after !== null && <Text heading="After" text={after} />}
      </div>
    </details>
  )
}

function Text({ heading, text }: { heading: string; text: string }) {
  return (
    <div className="grid min-w-0 content-start gap-1">
      <h3 className="text-xs text-soft">{heading}</h3>
      <p className="whitespace-pre-wrap rounded-md border border-line p-2 text-xs [overflow-wrap:anywhere]">{text === '' ? '(empty)' : text}</p>
    </div>
  )
}
