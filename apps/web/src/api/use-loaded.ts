import { useCallback, useEffect, useState } from 'react'

/** Something that is asked of the service when a page opens. */
export type Loaded<Value> =
  | { status: 'loading' }
  | { status: 'failed'; error: unknown }
  | { status: 'ready'; value: Value }

const loading = { status: 'loading' } as const

/**
 * Loads anew whenever `key` changes or `reload` is called; an answer that comes too late is dropped. What was loaded stays
 * while it is loaded anew.
 */
export function useLoaded<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>) {
  const [settled, setSettled] = useState<{ key: string; loaded: Loaded<Value> }>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    const settle = (loaded: Loaded<Value>) => {
      if (!leaving.signal.aborted) setSettled({ key, loaded })
    }
    setSettled((before) => (before?.loaded.status === 'failed' ? undefined : before))
    load(leaving.signal).then(
      (value) => settle({ status: 'ready', value }),
      (error: unknown) => settle({ status: 'failed', error }),
    )
    return () => leaving.abort()
    // `load` is a new function on every render; what it loads is named by `key`.
  }, [key, attempt])
  const reload = useCallback(() => setAttempt((count) => count + 1), [])
  const loaded: Loaded<Value> = settled?.key === key ? settled.loaded : loading
  return { loaded, reload }
}
