import { useEffect, useEffectEvent } from 'react'
import type { Visualization } from '../../api/references.ts'
import type { LoadedResult } from '../../results/load-result.ts'

/**
 * Adapts the chart once a result has loaded that no longer has all of its columns. What adapts it parses charts, so it is loaded
 * only if there is a chart.
 */
export function useFittingChart(
  { fields, rows, isLoading }: LoadedResult,
  { visualization, onChange }: { visualization: Visualization | null; onChange(visualization: Visualization): void },
): void {
  const fit = useEffectEvent(async () => {
    if (isLoading || !visualization || visualization.type === 'table') return
    const { refitChart } = await import('../../charts/refit.ts')
    const fitted = refitChart(visualization, { fields, rows })
    if (fitted !== visualization) onChange(fitted)
  })
  useEffect(() => void fit(), [fields, isLoading])
}
