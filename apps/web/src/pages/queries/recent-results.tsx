import { useQuery } from '@tanstack/react-query'
import type { FoundReference } from '../../api/references.ts'
import { getFirstRows } from '../../api/runs.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { recentlyCompleted } from './recently-completed.ts'
import { smallChartOf } from './small-chart.ts'
import { SmallPicture } from './small-picture.tsx'

const shownMax = 4
const readRows = 500

/** The latest results of the listed queries as small charts. */
export function RecentResults({ references }: { references: FoundReference[] }) {
  const recent = recentlyCompleted(references, shownMax)
  if (recent.length === 0) return null
  return (
    <section aria-label="Recent results" className="grid gap-2">
      <header className="flex items-baseline justify-between gap-4">
        <h2>Recent results</h2>
        <TextLink href={paths.runs}>My recent runs</TextLink>
      </header>
      <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {recent.map((reference) => <ResultCard key={reference.id} reference={reference} />)}
      </ul>
    </section>
  )
}

function ResultCard({ reference }: { reference: FoundReference & { latestRun: NonNullable<FoundReference['latestRun']> } }) {
  const { shortId, title, latestRun } = reference
  const { data } = useQuery({
    queryKey: ['runs', latestRun.id, 'small-chart'],
    queryFn: async ({ signal }) => smallChartOf(await getFirstRows(latestRun.id, { limit: readRows, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <li className="min-w-0">
      <Link
        href={paths.permalink(shortId)}
        className="grid h-full grid-rows-[auto_4rem_auto] gap-2 rounded-lg border border-line bg-surface px-3 py-2.5 text-ink no-underline hover:bg-raised"
      >
        <span className="truncate text-sm font-medium">{title}</span>
        <span className="grid min-w-0 content-center overflow-hidden">
          {data && <SmallPicture chart={data} />}
          {data === null && <span className="text-xs text-soft">No rows</span>}
        </span>
        <span className="truncate text-xs text-soft"><RelativeTime at={latestRun.completedAt ?? latestRun.runAt} /></span>
      </Link>
    </li>
  )
}
