import { lazy, memo, Suspense } from 'react'
import { ResultTable } from '../results/result-table.tsx'
import { ChartBoundary } from './chart-boundary.tsx'
import type { ChartViewProps } from './chart-view-props.ts'
import { NoRows } from './no-rows.tsx'
import { OneNumber } from './one-number.tsx'

/** What draws, and what reads a chart's text, is loaded when the first chart is wanted. */
const DrawnChart = lazy(() => import('./drawn-chart.tsx'))
const ChosenNumber = lazy(() => import('./chosen-number.tsx'))

/** A result as its visualization says: drawn, as one number, or as a table. */
export const ChartView = memo(function ChartView({ visualization, fields, rows }: ChartViewProps) {
  const { type, jsxConfig } = visualization
  if (type === 'table') return <ResultTable fields={fields} rows={rows} />
  if (type === 'number' && jsxConfig.trim() === '') {
    return fields[0] && rows[0] ? <OneNumber field={fields[0]} value={rows[0][0]} /> : <NoRows />
  }
  const Shown = type === 'number' ? ChosenNumber : DrawnChart
  return (
    <ChartBoundary subject={visualization}>
      <Suspense fallback={<ChartSkeleton />}>
        <Shown visualization={visualization} fields={fields} rows={rows} />
      </Suspense>
    </ChartBoundary>
  )
})

function ChartSkeleton() {
  return <div className="h-80 animate-pulse rounded-lg bg-raised" role="status" aria-label="Loading the chart" />
}
