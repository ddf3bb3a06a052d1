import { pivot, readPivotConfig } from '@querypost/visualization'
import { useMemo } from 'react'
import { PivotTable } from '../results/pivot-table.tsx'
import { Hint, Problem } from '../ui/notice.tsx'
import type { ChartViewProps } from './chart-view-props.ts'
import { NoRows } from './no-rows.tsx'
import { useChart } from './use-chart.ts'

/** A pivot table as its visualization describes it. */
export default function PivotView({ visualization, fields, rows, isFilling }: ChartViewProps) {
  const { element, fault } = useChart(visualization.jsxConfig)
  const { columns } = visualization
  const table = useMemo(
    () => element && pivot({ fields, rows, config: readPivotConfig(element), ...(columns && { columns }) }),
    [fields, rows, element, columns],
  )
  if (fault || !table) return <Problem title="Couldn’t show the pivot table" message={fault?.message ?? ''} />
  if (table.problems.length > 0) return <Hint kind="warning">{table.problems.map((problem) => <p key={problem}>{problem}</p>)}</Hint>
  return rows.length === 0 ? <NoRows /> : <PivotTable table={table} isFilling={isFilling} />
}
