import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { keyUseOptions } from '../../api/audit-log.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadProblem } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { KeyUsageCard } from './key-usage-card.tsx'

const days = 30

/** The API keys used recently, most recent first. */
export function KeyUsageList() {
  const query = useInfiniteQuery(keyUseOptions(days))
  const pages = query.data?.pages
  if (!pages) {
    return query.isError ? <LoadProblem error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton rows={4} />
  }
  const keys = pages.flatMap(({ items }) => items).toSorted((a, b) => b.lastAt.localeCompare(a.lastAt))
  if (keys.length === 0) {
    return (
      <EmptyState
        title="No API keys used"
        icon={<KeyRound />}
        action={<ButtonLink href={paths.account}>Create API key</ButtonLink>}
      >
        <p>API keys of your organization appear here when they are used. None was used in the last {days} days.</p>
      </EmptyState>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-soft">Requests per day (UTC) in the last {days} days. The most recent seconds may be missing.</p>
      <ul className="grid grid-cols-1 gap-3" aria-label="Used API keys">
        {keys.map((key) => <KeyUsageCard key={key.id} use={key} from={pages[0]!.from} days={days} />)}
      </ul>
      <Pager query={query} />
    </div>
  )
}
