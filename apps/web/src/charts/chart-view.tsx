import { readKpi, readNumber, type VisualizationType } from '@querypost/visualization'
import { type ComponentType, lazy, memo, Suspense, useState } from 'react'
import { ResultTable } from '../results/result-table.tsx'
import { ChartBoundary } from './chart-boundary.tsx'
import type { ChartViewProps } from './chart-view-props.ts'
import { KpiView } from './kpi-view.tsx'
import { loadDrawnChart, loadedDrawnChart } from './load-drawn-chart.ts'
import { NoRows } from './no-rows.tsx'

const views = new Map<VisualizationType, ComponentType<ChartViewProps>>([
  ['number', lazy(() => import('./chosen-number.tsx'))],
  ['pivot', lazy(() => import('./pivot-view.tsx'))],
])

/** Shows a result according to its visualization: as a chart, a number, a pivot table or a table. */
export const ChartView = memo(function ChartView(props: ChartViewProps) {
  const { visualization, fields, rows } = props
  const { type, jsxConfig, columns, hasTotals } = visualization
  if (type === 'table') return <ResultTable fields={fields} rows={rows} columns={columns} hasTotals={hasTotals} />
  if (type === 'number' && jsxConfig.trim() === '') {
    return fields[0] && rows[0] ? <KpiView kpi={readKpi({ fields, rows, shown: readNumber(null), ...(columns && { columns }) })} /> : <NoRows />
  }
  const View = views.get(type) ?? DrawnChart
  return (
    <ChartBoundary subject={visualization}>
      <Suspense fallback={<ChartSkeleton />}>
        <View {...props} />
      </Suspense>
    </ChartBoundary>
  )
})

const LazyDrawnChart = lazy(loadDrawnChart)

/** A lazy component always shows its fallback first, and React then keeps it for a while, even if the code is there. */
function DrawnChart(props: ChartViewProps) {
  const [View] = useState(() => loadedDrawnChart() ?? LazyDrawnChart)
  return <View {...props} />
}

function ChartSkeleton() {
  return <div className="h-80 animate-pulse rounded-lg bg-raised" role="status" aria-label="Loading chart" />
}
