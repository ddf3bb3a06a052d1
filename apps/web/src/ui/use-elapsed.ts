import { useEffect, useState } from 'react'

/** Milliseconds since `startMs` on the page's monotonic clock (`performance.now()`), updated regularly. */
export function useElapsedMs(startMs: number, everyMs = 100): number {
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return Math.max(0, nowMs - startMs)
}

/** Converts a server time to the page's monotonic clock. Never in the future, because the clocks may differ. */
export const startMsOf = (at: string) => performance.now() - Math.max(0, Date.now() - Date.parse(at))
