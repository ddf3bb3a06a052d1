import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { hasCode, messageOf } from '../api/request.ts'
import { isEnded, listRuns, type Run, runsOfQueryOptions, stopRun } from '../api/runs.ts'
import { startMsOf } from '../ui/use-elapsed.ts'
import { watchRun } from './watch-run.ts'

/**
 * The runs of one query, as a page follows them.
 *
 * - `active`: the run in progress, started by anyone; the service allows one per query. The page polls it until it ends.
 * - `shown`: the completed run whose result the page shows. Initially the one picked by `choose`; later the latest run that
 *   completed while the page was open, or the one the user picked from the history.
 * - `problem`: why the last action failed, as told by the service or the engine; with the run, if a run failed.
 * - `stopped`: the latest run, if a person stopped it. That is not a problem.
 */
export interface Runs {
  isLoading: boolean
  /** From the click until the service has responded. */
  isStarting: boolean
  active: { run: Run; startMs: number } | null
  shown: Run | null
  problem: { title: string; message: string; isVerbatim?: boolean; run?: Run } | null
  stopped: Run | null
}

const idle = { isLoading: false, isStarting: false, active: null }

export function useRuns(options: {
  /** The query whose runs are shown when the page opens; null if none is stored yet. */
  queryId: string | null
  choose?(completed: Run[]): Run | undefined
}) {
  const { queryId, choose = (completed) => completed[0] } = options
  const queryClient = useQueryClient()
  const [runs, setRuns] = useState<Runs>({ ...idle, shown: null, ...outcomeOf(undefined), isLoading: queryId !== null })
  const change = (changes: Partial<Runs>) => setRuns((before) => ({ ...before, ...changes }))
  const leaving = useRef<AbortSignal>(undefined)

  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller.signal
    if (queryId !== null) {
      ignoreIfLeft(controller.signal, async () => {
        const latest = await listRuns(queryId, controller.signal)
        const completed = latest.filter((run) => run.status === 'completed')
        change({ isLoading: false, shown: choose(completed) ?? null, ...outcomeOf(latest[0]) })
        await follow(latest[0], controller.signal)
      })
    }
    return () => controller.abort()
    // Runs once: another query or reference mounts a new page.
  }, [])

  function ignoreIfLeft(signal: AbortSignal, act: () => Promise<void>): void {
    act().catch((error: unknown) => {
      if (!signal.aborted) change({ ...idle, problem: { title: 'Couldn’t run the query', message: messageOf(error) } })
    })
  }

  async function follow(run: Run | undefined, signal: AbortSignal): Promise<void> {
    if (!run || isEnded(run)) return
    await watch(run, startMsOf(run.runAt), signal)
  }

  async function watch(run: Run, startMs: number, signal: AbortSignal): Promise<void> {
    void queryClient.invalidateQueries(runsOfQueryOptions(run.queryId))
    const ended = await watchRun(run, { signal, onChange: (now) => change({ active: { run: now, startMs }, isStarting: false }) })
    if (signal.aborted) return
    change({ ...idle, ...outcomeOf(ended), ...(ended.status === 'completed' && { shown: ended }) })
    void queryClient.invalidateQueries(runsOfQueryOptions(run.queryId))
  }

  return {
    runs,
    /** `begin` starts a run; `currentQueryId` returns its query, in case that is already running. */
    start(begin: () => Promise<Run>, currentQueryId: () => string | null): void {
      const signal = leaving.current!
      const startMs = performance.now()
      change({ isStarting: true, ...outcomeOf(undefined) })
      ignoreIfLeft(signal, async () => {
        try {
          await watch(await begin(), startMs, signal)
        } catch (error) {
          const running = currentQueryId()
          if (!hasCode(error, 'query_already_running') || running === null) throw error
          change({ isStarting: false, problem: { title: 'Couldn’t start the query', message: messageOf(error) } })
          // Show the progress of the other run, so that the user knows when to try again.
          await follow((await listRuns(running, signal))[0], signal)
        }
      })
    },
    stop(run: Run): void {
      ignoreIfLeft(leaving.current!, async () => {
        try {
          await stopRun(run.id)
        } catch (error) {
          // The run ended before it could be stopped; polling will show how.
          if (!hasCode(error, 'run_already_ended')) throw error
        }
      })
    },
    /** Shows a run from the history: its result, or why it has none. */
    show(run: Run): void {
      change({ ...outcomeOf(run), ...(run.status === 'completed' && { shown: run }) })
    },
  }
}

/** What a page tells about the end of a run, apart from its result. */
export function outcomeOf(run: Run | undefined): Pick<Runs, 'problem' | 'stopped'> {
  if (run?.status !== 'failed') return { problem: null, stopped: null }
  if (run.isStopped) return { problem: null, stopped: run }
  const problem = { title: 'Query failed', message: run.failureReason ?? 'No reason was recorded.', isVerbatim: true, run }
  return { problem, stopped: null }
}
