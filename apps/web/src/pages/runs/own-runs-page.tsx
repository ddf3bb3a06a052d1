import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { isEnded, type OwnRun, ownRunsOptions } from '../../api/runs.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Status } from '../../ui/status.tsx'
import { duration, RelativeTime } from '../../ui/time.tsx'
import { useTitle } from '../../ui/use-title.ts'

const shownMax = 50
const pollMs = 2000
const count = new Intl.NumberFormat()

/** `/runs`: the runs that the signed-in person started, newest first. */
export function OwnRunsPage() {
  useTitle('My recent runs')
  const query = useQuery({
    ...ownRunsOptions(shownMax),
    refetchInterval: ({ state }) => (state.data?.some((run) => !isEnded(run)) ? pollMs : false),
  })
  return (
    <>
      <PageHead title="My recent runs" description="Queries you ran, newest first" />
      <Loaded query={query}>{(runs) => (runs.length === 0 ? <NoRuns /> : <Runs runs={runs} />)}</Loaded>
    </>
  )
}

const row =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 text-ink no-underline hover:bg-raised ' +
  'sm:grid-cols-[minmax(0,1fr)_7rem_11rem_8rem]'

function Runs({ runs }: { runs: OwnRun[] }) {
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y divide-line" aria-label="Runs">
        {runs.map((run) => (
          <li key={run.id}>
            <Link href={paths.run(run.id)} className={row}>
              <RunName run={run} />
              <span className="max-sm:justify-self-end"><Status status={run.status} isStopped={run.isStopped} /></span>
              <span className="text-sm text-soft tabular-nums">
                {run.rowCount !== null && `${count.format(run.rowCount)} ${run.rowCount === 1 ? 'row' : 'rows'}`}
                {run.durationMs !== null && `${run.rowCount === null ? '' : ' in '}${duration(run.durationMs)}`}
              </span>
              <span className="text-right text-sm text-soft"><RelativeTime at={run.runAt} /></span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The title of the saved query, or the beginning of the SQL. */
function RunName({ run }: { run: OwnRun }) {
  if (run.reference) return <span className="font-medium [overflow-wrap:anywhere]">{run.reference.title}</span>
  return <code className="truncate font-mono text-xs">{run.renderedSql.slice(0, 300).replaceAll(/\s+/g, ' ')}</code>
}

function NoRuns() {
  return (
    <EmptyState title="No runs yet" icon={<History />} action={<ButtonLink href={paths.newQuery()}>New query</ButtonLink>}>
      <p>Queries you run appear here with their results, saved or not.</p>
    </EmptyState>
  )
}
