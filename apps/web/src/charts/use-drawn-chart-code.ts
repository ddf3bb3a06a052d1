import { useEffect, useState } from 'react'
import { loadDrawnChart, loadedDrawnChart } from './load-drawn-chart.ts'

/** Loads the code of drawn charts if it is needed, and says whether loading has ended. A chart whose code couldn't be loaded shows the error. */
export function useDrawnChartCode(isNeeded: boolean): boolean {
  const [hasEnded, setHasEnded] = useState(loadedDrawnChart() !== undefined)
  useEffect(() => {
    if (!isNeeded || hasEnded) return
    const end = () => setHasEnded(true)
    loadDrawnChart().then(end, end)
  }, [isNeeded, hasEnded])
  return !isNeeded || hasEnded
}
