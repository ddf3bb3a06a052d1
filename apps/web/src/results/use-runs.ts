import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { hasCode, messageOf } from '../api/request.ts'
import { isEnded, listRuns, type Run, runsOfQueryOptions, stopRun } from '../api/runs.ts'
import { startMsOf } from '../ui/use-elapsed.ts'
import { watchRun } from './watch-run.ts'

/**
 * The runs of one query as a page follows them.
 *
 * - `active`: a run that has not ended, whoever started it; the service allows one a query. It is watched until it ends.
 * - `shown`: the completed run whose result the page shows. On opening, the one that `choose` wants; later, whichever run
 *   the page has seen complete, or somebody has asked for.
 * - `problem`: why the last thing that was tried did not work, in the words of the service or the engine; with the run, if
 *   it was one that failed.
 */
export interface Runs {
  isLoading: boolean
  /** From the press of the button until the service has answered. */
  isStarting: boolean
  active: { run: Run; startMs: number } | null
  shown: Run | null
  problem: { title: string; message: string; isVerbatim?: boolean; run?: Run } | null
}

const idle = { isLoading: false, isStarting: false, active: null }

export function useRuns(options: {
  /** The query whose runs are shown when the page opens; null: there is none yet. */
  queryId: string | null
  choose?(completed: Run[]): Run | undefined
}) {
  const { queryId, choose = (completed) => completed[0] } = options
  const queryClient = useQueryClient()
  const [runs, setRuns] = useState<Runs>({ ...idle, shown: null, problem: null, isLoading: queryId !== null })
  const change = (changes: Partial<Runs>) => setRuns((before) => ({ ...before, ...changes }))
  const leaving = useRef<AbortSignal>(undefined)

  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller.signal
    if (queryId !== null) {
      unlessLeft(controller.signal, async () => {
        const latest = await listRuns(queryId, controller.signal)
        const completed = latest.filter((run) => run.status === 'completed')
        change({ isLoading: false, shown: choose(completed) ?? null, problem: failureOf(latest[0]) })
        await follow(latest[0], controller.signal)
      })
    }
    return () => controller.abort()
    // Only what the page opens with; the page is made anew for another query or reference.
  }, [])

  function unlessLeft(signal: AbortSignal, act: () => Promise<void>): void {
    act().catch((error: unknown) => {
      if (!signal.aborted) change({ ...idle, problem: { title: 'That did not work', message: messageOf(error) } })
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
    change({ ...idle, problem: failureOf(ended), ...(ended.status === 'completed' && { shown: ended }) })
    void queryClient.invalidateQueries(runsOfQueryOptions(run.queryId))
  }

  return {
    runs,
    /** `begin` starts a run; `queryIdNow` says of which query, should it be running already. */
    start(begin: () => Promise<Run>, queryIdNow: () => string | null): void {
      const signal = leaving.current!
      const startMs = performance.now()
      change({ isStarting: true, problem: null })
      unlessLeft(signal, async () => {
        try {
          await watch(await begin(), startMs, signal)
        } catch (error) {
          const running = queryIdNow()
          if (!hasCode(error, 'query_already_running') || running === null) throw error
          change({ isStarting: false, problem: { title: 'Not started', message: messageOf(error) } })
          // Somebody else's run: show how it goes, so that one knows when to try again.
          await follow((await listRuns(running, signal))[0], signal)
        }
      })
    },
    stop(run: Run): void {
      unlessLeft(leaving.current!, async () => {
        try {
          await stopRun(run.id)
        } catch (error) {
          // It ended by itself in the meantime; the watching will say how.
          if (!hasCode(error, 'run_already_ended')) throw error
        }
      })
    },
    /** One of the history: its result, or why it has none. */
    show(run: Run): void {
      change(run.status === 'completed' ? { shown: run, problem: null } : { problem: failureOf(run) })
    },
  }
}

function failureOf(run: Run | undefined): Runs['problem'] {
  if (run?.status !== 'failed') return null
  return { title: 'The run failed', message: run.failureReason ?? 'No reason was given.', isVerbatim: true, run }
}
