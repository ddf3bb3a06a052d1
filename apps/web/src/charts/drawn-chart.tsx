import { type ChartElement, describeChart, type PreparedChart, prepareRows } from '@querypost/visualization'
import { useId, useMemo, useState } from 'react'
import { ResponsiveContainer } from 'recharts'
import { ResultTable } from '../results/result-table.tsx'
import { Button } from '../ui/button.tsx'
import { Hint, Problem } from '../ui/notice.tsx'
import type { ChartViewProps } from './chart-view-props.ts'
import { NoRows } from './no-rows.tsx'
import { toRecharts } from './to-recharts.tsx'
import { useChart } from './use-chart.ts'

/** Used before the container is measured; never visible. */
const initialDimension = { width: 640, height: 320 }

/** Each horizontal bar needs a line of text. */
const heightOf = ({ shape, points }: PreparedChart) => (shape.isHorizontal ? Math.max(320, points.length * 24 + 60) : 320)

/** A chart, with a text summary for screen readers and its rows as a table. */
export default function DrawnChart(props: ChartViewProps) {
  const { element, fault } = useChart(props.visualization.jsxConfig)
  if (fault) return <Problem title="Couldn’t draw the chart" message={fault.message} />
  return <Drawing {...props} element={element} />
}

function Drawing({ visualization, fields, rows, hasTable = false, element }: ChartViewProps & { element: ChartElement }) {
  const summaryId = useId()
  const [isTable, setIsTable] = useState(false)
  const prepared = useMemo(() => prepareRows({ fields, rows, element }), [fields, rows, element])
  const summary = useMemo(() => describeChart(prepared, { fields, rows }), [prepared, fields, rows])
  const { marginConfig } = visualization
  const chart = useMemo(() => toRecharts({ prepared, rows, marginConfig }), [prepared, rows, marginConfig])
  if (prepared.problems.length > 0) {
    return <Hint kind="warning">{prepared.problems.map((problem) => <p key={problem}>{problem}</p>)}</Hint>
  }
  if (prepared.points.length === 0) return <NoRows />
  return (
    <figure className="grid min-w-0 gap-2" aria-labelledby={summaryId}>
      {isTable ? (
        <ResultTable fields={fields} rows={rows} />
      ) : (
        <div className="min-w-0 text-xs" style={{ height: heightOf(prepared) }}>
          <ResponsiveContainer initialDimension={initialDimension}>{chart}</ResponsiveContainer>
        </div>
      )}
      <figcaption className="flex flex-wrap items-start justify-between gap-2 text-xs text-soft">
        <span id={summaryId} className="sr-only">{summary}</span>
        <span className="min-w-0 flex-1">{prepared.notes.map((note) => <p key={note}>{note}</p>)}</span>
        {!hasTable && (
          <Button kind="ghost" size="small" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
        )}
      </figcaption>
    </figure>
  )
}
