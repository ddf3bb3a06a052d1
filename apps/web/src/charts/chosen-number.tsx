import { findColumn, readNumber } from '@querypost/visualization'
import { OneNumber } from './one-number.tsx'
import { Problem } from '../ui/notice.tsx'
import type { ChartViewProps } from './chart-view-props.ts'
import { NoRows } from './no-rows.tsx'
import { useChart } from './use-chart.ts'

/** A number whose column is chosen by the visualization. */
export default function ChosenNumber({ visualization, fields, rows }: ChartViewProps) {
  const { element, fault } = useChart(visualization.jsxConfig)
  if (fault) return <Problem title="Couldn’t show the number" message={fault.message} />
  const shown = readNumber(element)
  const column = shown.key === null ? findColumn(fields, fields[0]?.name ?? '') : findColumn(fields, shown.key)
  if (!column) {
    const message = `The result has no column “${shown.key}”. Edit the chart and choose another.`
    return <Problem title="Couldn’t show the number" message={message} />
  }
  if (!rows[0]) return <NoRows />
  return <OneNumber field={column.field} value={column.valueIn(rows[0])} caption={shown.caption} unit={shown.unit} />
}
