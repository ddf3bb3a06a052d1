import { readKpi, readNumber } from '@querypost/visualization'
import { useMemo } from 'react'
import { Problem } from '../ui/notice.tsx'
import type { ChartViewProps } from './chart-view-props.ts'
import { KpiView } from './kpi-view.tsx'
import { NoRows } from './no-rows.tsx'
import { useChart } from './use-chart.ts'

/** A number whose column and context are chosen by the visualization. */
export default function ChosenNumber({ visualization, fields, rows }: ChartViewProps) {
  const { element, fault } = useChart(visualization.jsxConfig)
  const { columns } = visualization
  const kpi = useMemo(
    () => readKpi({ fields, rows, shown: readNumber(element), ...(columns && { columns }) }),
    [fields, rows, element, columns],
  )
  if (fault) return <Problem title="Couldn’t show the number" message={fault.message} />
  const [problem] = kpi.problems
  if (problem !== undefined) return <Problem title="Couldn’t show the number" message={problem} />
  return rows.length === 0 ? <NoRows /> : <KpiView kpi={kpi} />
}
