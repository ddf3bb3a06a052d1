import { useEffect, useRef, useState } from 'react'
import { hasCode, messageOf } from '../../api/request.ts'
import { type ReferenceInFull, runReference } from '../../api/references.ts'
import { isEnded, listRuns, type Run, stopRun } from '../../api/runs.ts'
import { startMsOf } from '../../ui/use-elapsed.ts'
import { isRunWith, type Values, valuesToSend } from './values.ts'
import { watchRun } from './watch-run.ts'

/**
 * The runs of one reference as its page follows them.
 *
 * - `active`: a run that has not ended, whoever started it; the service allows one a query. It is watched until it ends.
 * - `shown`: the completed run whose result the page shows. On opening, the latest one that had the address' values; else
 *   the latest. Later, whichever run the page has seen complete.
 * - `problem`: why the last thing that was tried did not work, in the words of the service or the engine.
 */
export interface Runs {
  isLoading: boolean
  /** From the press of the button until the service has answered. */
  isStarting: boolean
  active: { run: Run; startMs: number } | null
  shown: Run | null
  problem: { title: string; message: string; isVerbatim?: boolean } | null
}

const idle = { isLoading: false, isStarting: false, active: null }
const nothing: Runs = { ...idle, shown: null, problem: null }

export function useRuns(reference: ReferenceInFull, valuesOnOpening: Values) {
  const [runs, setRuns] = useState<Runs>({ ...nothing, isLoading: !reference.isOptimistic })
  const change = (changes: Partial<Runs>) => setRuns((before) => ({ ...before, ...changes }))
  const leaving = useRef<AbortSignal>(undefined)
  const queryId = reference.currentQuery.id

  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller.signal
    if (!reference.isOptimistic) {
      unlessLeft(controller.signal, async () => {
        const latest = await listRuns(queryId, controller.signal)
        const completed = latest.filter((run) => run.status === 'completed')
        const matching = completed.find((run) => isRunWith(run, reference.parameters, valuesOnOpening))
        change({ isLoading: false, shown: matching ?? completed[0] ?? null, problem: failureOf(latest[0]) })
        await follow(latest[0], controller.signal)
      })
    }
    return () => controller.abort()
    // The page is made anew for another reference.
  }, [queryId])

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
    const ended = await watchRun(run, { signal, onChange: (now) => change({ active: { run: now, startMs }, isStarting: false }) })
    if (signal.aborted) return
    change({ ...idle, problem: failureOf(ended), ...(ended.status === 'completed' && { shown: ended }) })
  }

  return {
    runs,
    start(values: Values): void {
      const signal = leaving.current!
      const startMs = performance.now()
      change({ isStarting: true, problem: null })
      unlessLeft(signal, async () => {
        try {
          const run = await runReference(reference.shortId, valuesToSend(reference.parameters, values))
          await watch(run, startMs, signal)
        } catch (error) {
          if (!hasCode(error, 'query_already_running')) throw error
          change({ isStarting: false, problem: { title: 'Not started', message: messageOf(error) } })
          // Somebody else's run: show how it goes, so that one knows when to try again.
          await follow((await listRuns(queryId, signal))[0], signal)
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
  }
}

function failureOf(run: Run | undefined): Runs['problem'] {
  if (run?.status !== 'failed') return null
  return { title: 'The run failed', message: run.failureReason ?? 'No reason was given.', isVerbatim: true }
}
