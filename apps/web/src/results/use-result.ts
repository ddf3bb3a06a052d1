import { useEffect, useEffectEvent, useState } from 'react'
import { openResult } from '../api/runs.ts'
import { type LoadedResult, loadResult } from './load-result.ts'

export type ResultState =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'ready'; result: LoadedResult }

/** Loads the rows of a completed run and reports them as they arrive. Loading stops when another run is requested. */
export const useResult = (runId: string) => useOpenedResult(runId, openResult)

/** Loads the result of a run from where it is stored. */
export function useOpenedResult(
  runId: string,
  openFrom: (runId: string, signal: AbortSignal) => Promise<Response>,
): { state: ResultState; retry(): void } {
  const open = useEffectEvent(openFrom)
  const [state, setState] = useState<{ runId: string; now: ResultState }>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    const settle = (now: ResultState) => {
      if (!leaving.signal.aborted) setState({ runId, now })
    }
    open(runId, leaving.signal)
      .then((response) => loadResult(response.body!, { onProgress: (result) => settle({ status: 'ready', result }) }))
      .then(
        (result) => settle({ status: 'ready', result }),
        (error: unknown) => settle({ status: 'failed', error }),
      )
    return () => leaving.abort()
  }, [runId, attempt])
  return {
    state: state?.runId === runId ? state.now : { status: 'loading' },
    retry() {
      setState(undefined)
      setAttempt(attempt + 1)
    },
  }
}
