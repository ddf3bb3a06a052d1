import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { Visualization } from '../../api/references.ts'
import type { LoadedResult } from '../../results/load-result.ts'

/** The columns and rows that a chart was last adapted to. */
export type FittedTo = RefObject<Pick<LoadedResult, 'fields' | 'rows'> | null>

/**
 * Adapts the chart once a result has loaded whose columns have changed. What adapts it parses charts, so it is loaded only if there is
 * a chart.
 */
export function useFittingChart(
  { fields, rows, isLoading }: LoadedResult,
  chart: {
    visualization: Visualization | null
    /** Whether this is the result of the SQL that the chart is saved with. */
    isOfCurrentSql: boolean
    fittedTo: FittedTo
    onChange(visualization: Visualization): void
  },
): void {
  const { visualization, isOfCurrentSql, fittedTo, onChange } = chart
  const fit = useEffectEvent(async () => {
    if (isLoading || !isOfCurrentSql) return
    const previous = fittedTo.current
    fittedTo.current = { fields, rows }
    if (!visualization || visualization.type === 'table') return
    const { refitChart } = await import('../../charts/refit.ts')
    const fitted = refitChart(visualization, { fields, rows }, previous)
    if (fitted !== visualization) onChange(fitted)
  })
  useEffect(() => void fit(), [fields, isLoading])
}
