import { useInfiniteQuery } from '@tanstack/react-query'
import { type Run, runsOfQueryOptions } from '../../api/runs.ts'
import { showValue } from '../../parameters/show-value.ts'
import { LoadProblem } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { duration, RelativeTime } from '../../ui/time.tsx'

const count = new Intl.NumberFormat()

/** Lists the runs of a query: who started them, when, with which values, and the outcome. A click shows that run. */
export function RunHistory(props: { queryId: string; shownId: string | undefined; onShow(run: Run): void }) {
  const query = useInfiniteQuery(runsOfQueryOptions(props.queryId))
  if (query.isError && !query.data) return <LoadProblem error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton rows={3} />
  const runs = query.data.pages.flatMap((page) => page.items)
  if (runs.length === 0) return <p className="py-6 text-center text-soft">No runs yet. Run the query to see them here.</p>
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface" aria-label="Runs">
        {runs.map((run) => (
          <li key={run.id}>
            <button
              type="button"
              disabled={run.status === 'pending' || run.status === 'running'}
              aria-current={run.id === props.shownId || undefined}
              className="grid w-full gap-x-4 gap-y-0.5 px-4 py-2 text-left enabled:hover:bg-raised aria-[current]:bg-accent-wash sm:grid-cols-[7rem_9rem_minmax(0,1fr)_auto]"
              onClick={() => props.onShow(run)}
            >
              <Status status={run.status} isStopped={run.isStopped} />
              <RelativeTime at={run.runAt} />
              <span className="min-w-0 truncate text-soft">
                {starterOf(run)}
                {Object.entries(run.parameterValues).map(([name, value]) => (
                  <span key={name}> · {name} = {showValue(value)}</span>
                ))}
                {run.status === 'failed' && run.failureReason && (
                  <span className={run.isStopped ? undefined : 'text-danger'}> · {run.failureReason}</span>
                )}
              </span>
              <span className="text-soft tabular-nums">
                {run.rowCount !== null && `${count.format(run.rowCount)} ${run.rowCount === 1 ? 'row' : 'rows'}`}
                {run.durationMs !== null && `${run.rowCount === null ? '' : ' in '}${duration(run.durationMs)}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Pager query={query} />
    </>
  )
}

function starterOf({ triggeredBy }: Run): string {
  const { kind, name } = triggeredBy
  if (name === null) return { user: 'Former member', key: 'API key', automation: 'Automation', chat: 'Agent', link: 'Public link', embed: 'Embedded page' }[kind]
  return kind === 'key' ? `${name} (API key)` : name
}
