import { useEffect, useState } from 'react'
import { ApiError, hasCode, messageOf } from '../../api/request.ts'
import { getRun, isEnded, type Run, stopRun } from '../../api/runs.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Loading, Problem } from '../../ui/notice.tsx'
import { Status } from '../../ui/status.tsx'
import { seconds, Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { startMsOf } from '../../ui/use-elapsed.ts'
import { useTitle } from '../../ui/use-title.ts'
import { NotFoundPage } from '../not-found-page.tsx'
import { Progress } from '../permalink/progress.tsx'
import { Result } from '../permalink/result.tsx'
import { watchRun } from '../permalink/watch-run.ts'
import { ReferencesOf, TriggerOf } from './run-links.tsx'

/** `/runs/:runId`: one run of a query, as figures in a summary link to it. */
export function RunPage({ runId }: { runId: string }) {
  useTitle('Run')
  const { loaded, reload } = useLoaded(runId, (signal) => getRun(runId, signal))
  if (loaded.status === 'loading') return <Loading />
  if (loaded.status === 'ready') return <RunView initial={loaded.value} />
  if (loaded.error instanceof ApiError && loaded.error.status === 404) return <NotFoundPage isInFrame />
  return <Problem message={messageOf(loaded.error)} onRetry={reload} />
}

function RunView({ initial }: { initial: Run }) {
  const { run, problem } = useWatchedRun(initial)
  const [startMs] = useState(() => startMsOf(initial.runAt))
  const stopping = useAction()
  const stop = () =>
    stopping.run(async () => {
      try {
        await stopRun(run.id)
      } catch (error) {
        // It ended by itself in the meantime, and the watching says how.
        if (!hasCode(error, 'run_already_ended')) throw error
      }
    })
  const parameters = Object.entries(run.parameterValues)
  return (
    <article className="run">
      <header className="page-head">
        <h1>Run of a query</h1>
        <p className="facts soft small">
          <Status status={run.status} />
          <span>
            <Time at={run.runAt} />
            {run.status === 'failed' && run.durationMs !== null && `, took ${seconds(run.durationMs)}`}
          </span>
          <TriggerOf run={run} />
          <ReferencesOf queryId={run.queryId} />
        </p>
      </header>
      {!isEnded(run) && <Progress run={run} startMs={startMs} onStop={stop} />}
      {problem !== undefined && <Problem message={problem} />}
      {stopping.message !== undefined && <Problem message={stopping.message} />}
      {run.status === 'failed' && (
        <Problem title="The run failed" message={run.failureReason ?? 'No reason was given.'} isVerbatim />
      )}
      {parameters.length > 0 && (
        <dl className="values" aria-label="Parameters">
          {parameters.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {run.status === 'completed' && <Result run={run} fileName={`${run.id}.json`} />}
      <section className="sql">
        <details open={run.status === 'failed'}>
          <summary>SQL as it ran</summary>
          <pre>{run.renderedSql}</pre>
        </details>
      </section>
    </article>
  )
}

function useWatchedRun(initial: Run): { run: Run; problem: string | undefined } {
  const [run, setRun] = useState(initial)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    const leaving = new AbortController()
    watchRun(initial, { signal: leaving.signal, onChange: setRun }).then(setRun, (error: unknown) => {
      if (!leaving.signal.aborted) setProblem(messageOf(error))
    })
    return () => leaving.abort()
  }, [initial])
  return { run, problem }
}
