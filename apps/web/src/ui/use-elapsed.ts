import { useEffect, useState } from 'react'

const everyMs = 100

/** Milliseconds since `startMs` on the page's own clock (`performance.now()`), counting. */
export function useElapsedMs(startMs: number): number {
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, nowMs - startMs)
}

/** A moment that the service told, on the page's own clock; never in its future, for the two clocks may differ. */
export const startMsOf = (at: string) => performance.now() - Math.max(0, Date.now() - Date.parse(at))
