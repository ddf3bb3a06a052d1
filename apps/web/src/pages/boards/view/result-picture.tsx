import { useCallback, useEffect, useRef } from 'react'
import type { Visualization } from '../../../api/references.ts'
import { ChartView } from '../../../charts/chart-view.tsx'
import type { ChartMark } from '../../../charts/chart-view-props.ts'
import type { PointAsShown } from '../../../comments/describe-point.ts'
import type { LoadedResult } from '../../../results/load-result.ts'
import { ResultTable } from '../../../results/result-table.tsx'
import type { MarkedRow } from '../content/cross-filter.ts'

/** A result as a chart, a number or a table that fills its tile. */
export function ResultPicture(props: {
  visualization: Visualization | undefined
  /** Whether to show the rows even if there is a chart. */
  isTable: boolean
  result: LoadedResult
  /** The name of the table for screen readers. */
  label: string
  onMark: ((mark: MarkedRow) => void) | undefined
  onComment?: ((point: PointAsShown) => void) | undefined
}) {
  const { visualization, result, label, onMark, onComment } = props
  const { fields, rows, rowCount, isCut } = result
  // The chart gets the same function every time, so that it isn't drawn again whenever the board changes.
  const latest = useRef(onMark)
  useEffect(() => {
    latest.current = onMark
  })
  const choose = useCallback(
    ({ rows: marked }: ChartMark) => {
      const row = rows[marked[0] ?? -1]
      if (row) latest.current?.({ fields, row })
    },
    [fields, rows],
  )
  if (props.isTable || !visualization || visualization.type === 'table') {
    const { columns, hasTotals } = visualization ?? {}
    return (
      <ResultTable
        fields={fields}
        rows={rows}
        label={label}
        columns={columns}
        hasTotals={hasTotals}
        isPartial={isCut}
        isFilling
        onComment={onComment}
      />
    )
  }
  return (
    <ChartView
      visualization={visualization}
      fields={fields}
      rows={rows}
      rowCount={rowCount}
      hasTable
      isFilling
      onMark={onMark ? choose : undefined}
      onComment={onComment}
    />
  )
}
