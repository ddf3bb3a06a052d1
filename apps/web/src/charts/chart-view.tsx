import { lazy, memo, Suspense } from 'react'
import { ResultTable } from '../results/result-table.tsx'
import { ChartBoundary } from './chart-boundary.tsx'
import type { ChartViewProps } from './chart-view-props.ts'
import { NoRows } from './no-rows.tsx'
import { OneNumber } from './one-number.tsx'

/** Recharts and the JSX parser are loaded with the first chart. */
const DrawnChart = lazy(() => import('./drawn-chart.tsx'))
const ChosenNumber = lazy(() => import('./chosen-number.tsx'))

/** Shows a result according to its visualization: as a chart, a number or a table. */
export const ChartView = memo(function ChartView({ visualization, fields, rows, hasTable = false }: ChartViewProps) {
  const { type, jsxConfig } = visualization
  if (type === 'table') return <ResultTable fields={fields} rows={rows} />
  if (type === 'number' && jsxConfig.trim() === '') {
    return fields[0] && rows[0] ? <OneNumber field={fields[0]} value={rows[0][0]} /> : <NoRows />
  }
  const View = type === 'number' ? ChosenNumber : DrawnChart
  return (
    <ChartBoundary subject={visualization}>
      <Suspense fallback={<ChartSkeleton />}>
        <View visualization={visualization} fields={fields} rows={rows} hasTable={hasTable} />
      </Suspense>
    </ChartBoundary>
  )
})

function ChartSkeleton() {
  return <div className="h-80 animate-pulse rounded-lg bg-raised" role="status" aria-label="Loading chart" />
}
