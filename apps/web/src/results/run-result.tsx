import type { ReactNode } from 'react'
import { hasCode, messageOf } from '../api/request.ts'
import type { Run } from '../api/runs.ts'
import { Hint, Problem } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { RelativeTime, seconds } from '../ui/time.tsx'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { DownloadMenu } from './download-menu.tsx'
import type { LoadedResult } from './load-result.ts'
import { ResultTable } from './result-table.tsx'
import { useResult } from './use-result.ts'

const count = new Intl.NumberFormat()

/**
 * The result of a completed run: its size and age, and its rows, as a table or as rendered by `children`. On a phone the rows
 * come first.
 */
export function RunResult(props: { run: Run; actions?: ReactNode; children?(result: LoadedResult): ReactNode }) {
  const { run } = props
  const { state, retry } = useResult(run.id)
  const isNarrow = useIsNarrow()
  if (state.status === 'failed') return <ResultProblem error={state.error} onRetry={retry} />
  const about = (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="mr-auto flex flex-wrap items-baseline gap-x-3">
        <RowCount run={run} />
        <span className="text-xs text-soft">
          {run.completedAt && <>Last refreshed <RelativeTime at={run.completedAt} /></>}
          {run.durationMs !== null && !isNarrow && `, took ${seconds(run.durationMs)}`}
        </span>
      </p>
      {props.actions}
      <DownloadMenu runId={run.id} />
    </div>
  )
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3" aria-label="Result" aria-busy={state.status === 'loading' || state.result.isLoading}>
      {!isNarrow && about}
      {state.status === 'loading' ? (
        <Skeleton rows={6} />
      ) : (
        <>
          {state.result.isCut && <CutNotice shown={state.result.rows.length} />}
          {props.children ? props.children(state.result) : <ResultTable fields={state.result.fields} rows={state.result.rows} />}
        </>
      )}
      {isNarrow && about}
    </section>
  )
}

function ResultProblem({ error, onRetry }: { error: unknown; onRetry(): void }) {
  // An expired result is not an error, and the service's message says what to do.
  if (hasCode(error, 'result_expired')) return <Hint>{messageOf(error)}</Hint>
  return <Problem title="Couldn’t load the result" message={messageOf(error)} onRetry={onRetry} />
}

function RowCount({ run }: { run: Run }) {
  if (run.rowCount === null) return null
  return <span className="font-medium">{count.format(run.rowCount)} {run.rowCount === 1 ? 'row' : 'rows'}</span>
}

function CutNotice({ shown }: { shown: number }) {
  return (
    <Hint kind="warning">
      Showing the first {count.format(shown)} rows. Sorting applies only to these. Download the result to get all rows.
    </Hint>
  )
}
