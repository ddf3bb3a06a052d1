import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { keyUseOptions } from '../../api/audit-log.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadProblem } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { KeyUseCard } from './key-use-card.tsx'

const days = 30

/** Which keys were used lately, the one used last on top. */
export function KeyUseList() {
  const query = useInfiniteQuery(keyUseOptions(days))
  const pages = query.data?.pages
  if (!pages) {
    return query.isError ? <LoadProblem error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton rows={4} />
  }
  const keys = pages.flatMap(({ items }) => items).toSorted((a, b) => b.lastAt.localeCompare(a.lastAt))
  if (keys.length === 0) {
    return (
      <EmptyState
        title="No API key was used"
        icon={<KeyRound />}
        action={<ButtonLink href={paths.account}>Make an API key</ButtonLink>}
      >
        <p>In the last {days} days no program has called the API with a key of your organization.</p>
      </EmptyState>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-soft">The last {days} days, by the day (UTC). Counts of the last seconds may be missing.</p>
      <ul className="grid grid-cols-1 gap-3" aria-label="API keys that were used">
        {keys.map((key) => <KeyUseCard key={key.id} use={key} from={pages[0]!.from} days={days} />)}
      </ul>
      <Pager query={query} />
    </div>
  )
}
