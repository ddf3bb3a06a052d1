import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../api/request.ts'
import { isEnded, type RunInFull, runOptions } from '../../api/runs.ts'
import { RunInputs } from '../../results/run-inputs.tsx'
import { RunResult } from '../../results/run-result.tsx'
import { StoppedNotice } from '../../results/stopped-notice.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Hint, Problem } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { RunFacts } from './run-facts.tsx'
import { RunParameters } from './run-parameters.tsx'
import { RunProgress } from './run-progress.tsx'
import { RunSql } from './run-sql.tsx'

const maxWaitMs = 2000

/** `/runs/:runId`: the permanent page of one run. Figures in reports link here. */
export function RunPage({ runId }: { runId: string }) {
  const query = useQuery({
    ...runOptions(runId),
    // Poll quickly at first, since most runs are short, then slowly enough for long runs to cost little.
    refetchInterval: ({ state }) =>
      state.data && !isEnded(state.data) ? Math.min(maxWaitMs, 200 + 200 * state.dataUpdateCount) : false,
  })
  return (
    <Loaded query={query} skeleton={<Skeleton rows={8} />}>
      {(run) => <RunView run={run} problem={query.isError ? messageOf(query.error) : undefined} />}
    </Loaded>
  )
}

/** `problem`: why the latest state of the run could not be loaded. */
function RunView({ run, problem }: { run: RunInFull; problem: string | undefined }) {
  const name = run.references[0]?.title
  useTitle(name === undefined ? 'Run' : `Run of ${name}`)
  return (
    <div className="grid min-w-0 gap-5">
      <div className="-mb-5">
        <PageHead title={name === undefined ? 'Query run' : `Run of ${name}`} description={<RunFacts run={run} />} />
      </div>
      {problem !== undefined && <Hint kind="warning">{problem} This page may be out of date.</Hint>}
      {!isEnded(run) && <RunProgress run={run} />}
      {run.isStopped && <StoppedNotice message={run.failureReason ?? 'Stopped.'} />}
      {run.status === 'failed' && !run.isStopped && (
        <Problem title="Query failed" message={run.failureReason ?? 'No reason was recorded.'} isVerbatim />
      )}
      <RunParameters values={run.parameterValues} />
      <RunInputs inputs={run.inputs} />
      {run.status === 'completed' && <RunResult run={run} />}
      <RunSql run={run} />
    </div>
  )
}
