import { useQuery } from '@tanstack/react-query'
import type { FoundReference } from '../../api/references.ts'
import { getFirstRows } from '../../api/runs.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { recentlyCompleted } from './recently-completed.ts'
import { type SmallChart, smallChartOf } from './small-chart.ts'

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
          {data && <Picture chart={data} />}
          {data === null && <span className="text-xs text-soft">No rows</span>}
        </span>
        <span className="truncate text-xs text-soft"><RelativeTime at={latestRun.completedAt ?? latestRun.runAt} /></span>
      </Link>
    </li>
  )
}

function Picture({ chart }: { chart: SmallChart }) {
  switch (chart.kind) {
    case 'number':
      return (
        <span className="grid">
          <span className="truncate text-2xl font-semibold tabular-nums">{chart.text}</span>
          <span className="truncate text-xs text-soft">{chart.label}</span>
        </span>
      )
    case 'table':
      return (
        <span className="grid gap-1 text-xs">
          {chart.rows.map((cells, row) => (
            <span key={row} className="grid grid-cols-2 gap-2">
              {cells.map((cell, at) => <span key={at} className="truncate text-soft">{cell}</span>)}
            </span>
          ))}
        </span>
      )
    default:
      return <Drawing kind={chart.kind} values={chart.values} label={`${chart.label}: ${chart.latest}`} />
  }
}

const width = 160
const height = 56

function Drawing({ kind, values, label }: { kind: 'line' | 'bar'; values: number[]; label: string }) {
  // Bars start at zero; a line uses all of its height.
  const low = kind === 'bar' ? Math.min(0, ...values) : Math.min(...values)
  const high = Math.max(kind === 'bar' ? 0 : low, ...values)
  const y = (value: number) => height - 2 - ((value - low) / (high - low || 1)) * (height - 4)
  const step = width / values.length
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="h-14 w-full" role="img" aria-label={label}>
      {kind === 'line' ? (
        <polyline
          fill="none"
          stroke="var(--series-1)"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
          points={values.map((value, at) => `${(at / Math.max(1, values.length - 1)) * width},${y(value)}`).join(' ')}
        />
      ) : (
        values.map((value, at) => (
          <rect
            key={at}
            x={at * step + step * 0.15}
            width={step * 0.7}
            y={Math.min(y(value), y(0))}
            height={Math.max(1, Math.abs(y(value) - y(0)))}
            fill="var(--series-1)"
          />
        ))
      )}
    </svg>
  )
}
