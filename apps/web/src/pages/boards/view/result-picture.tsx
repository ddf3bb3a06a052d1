import { ChartView } from '../../../charts/chart-view.tsx'
import type { Visualization } from '../../../api/references.ts'
import type { LoadedResult } from '../../../results/load-result.ts'
import { ResultTable } from '../../../results/result-table.tsx'
import type { MarkedRow } from '../content/cross-filter.ts'

/** A result as a chart, a number or a table that fills its tile. */
export function ResultPicture(props: {
  /** Undefined to show a table. */
  visualization: Visualization | undefined
  result: LoadedResult
  /** The name of the table for screen readers. */
  label: string
  onMark: ((mark: MarkedRow) => void) | undefined
}) {
  const { visualization, result, label } = props
  const { fields, rows } = result
  if (!visualization || visualization.type === 'table') return <ResultTable fields={fields} rows={rows} label={label} isFilling />
  return <ChartView visualization={visualization} fields={fields} rows={rows} hasTable />
}
