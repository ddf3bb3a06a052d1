import { useEffect } from 'react'

/** Looks again and again while that is wanted and somebody looks at the page; for what no stream tells. */
export function usePolling(options: { isWanted: boolean; everyMs: number; look(): void }): void {
  const { isWanted, everyMs, look } = options
  useEffect(() => {
    if (!isWanted) return
    const timer = setInterval(() => {
      if (!document.hidden) look()
    }, everyMs)
    return () => clearInterval(timer)
  }, [isWanted, everyMs, look])
}
