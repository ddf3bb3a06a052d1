import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/request.ts'
import { isEnded, type RunInFull, runOptions } from '../../api/runs.ts'
import { RunResult } from '../../results/run-result.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { RunFacts } from './run-facts.tsx'
import { RunParameters } from './run-parameters.tsx'
import { RunProgress } from './run-progress.tsx'
import { RunSql } from './run-sql.tsx'

const longestWaitMs = 2000

/** `/runs/:runId`: one run of a query for good, as figures in a summary link to it. */
export function RunPage({ runId }: { runId: string }) {
  const query = useQuery({
    ...runOptions(runId),
    // Quick at first, since most runs take moments; then so slow that a long one costs nothing.
    refetchInterval: ({ state }) =>
      state.data && !isEnded(state.data) ? Math.min(longestWaitMs, 200 + 200 * state.dataUpdateCount) : false,
  })
  return (
    <Loaded query={query} skeleton={<Skeleton rows={8} />}>
      {(run) => <RunView run={run} problem={query.isError ? messageOf(query.error) : undefined} />}
    </Loaded>
  )
}

/** `problem`: why it is not known how the run stands now. */
function RunView({ run, problem }: { run: RunInFull; problem: string | undefined }) {
  const name = run.references[0]?.title
  useTitle(name === undefined ? 'Run' : `Run of ${name}`)
  return (
    <div className="grid min-w-0 gap-5">
      <div className="-mb-5">
        <PageHead title={name === undefined ? 'Run of a query' : `Run of ${name}`} description={<RunFacts run={run} />} />
      </div>
      {problem !== undefined && <Hint kind="warning">{problem} What is shown here may be out of date.</Hint>}
      {!isEnded(run) && <RunProgress run={run} />}
      {run.status === 'failed' && (
        <Problem title="The run failed" message={run.failureReason ?? 'No reason was given.'} isVerbatim />
      )}
      <RunParameters values={run.parameterValues} />
      {run.status === 'completed' && <RunResult run={run} />}
      <RunSql run={run} />
    </div>
  )
}
