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
