import { canSplit, type ChartElement, describeChart, pointCount, type PreparedChart, prepareRows, setSplit, writeJsxConfig } from '@querypost/visualization'
import { compileChart } from '@querypost/visualization/draw'
import { useCallback, useId, useMemo, useState } from 'react'
import { ResultTable } from '../results/result-table.tsx'
import { Button } from '../ui/button.tsx'
import { Hint, Problem } from '../ui/notice.tsx'
import { ChartCanvas } from './chart-canvas.tsx'
import type { ChartMark, ChartViewProps } from './chart-view-props.ts'
import { MarkRows } from './mark-rows.tsx'
import { NoRows } from './no-rows.tsx'
import { useChart } from './use-chart.ts'
import { useChartTheme } from './use-chart-theme.ts'
import { useWorld } from './use-world.ts'

/** Each horizontal bar, and each line of a heat map, needs a line of text. */
function heightOf({ shape, category, verticalCategory }: PreparedChart): number {
  const lineCount = shape.isHorizontal ? category!.count : (verticalCategory?.count ?? 0)
  return Math.max(320, lineCount * 24 + 80)
}

/** A chart, with a text summary for screen readers and its rows as a table. */
export default function DrawnChart(props: ChartViewProps) {
  const { element, fault } = useChart(props.visualization.jsxConfig)
  if (fault) return <Problem title="Couldn’t draw the chart" message={fault.message} />
  return <PreparedView {...props} element={element} />
}

function PreparedView(props: ChartViewProps & { element: ChartElement }) {
  const { visualization, fields, rows, rowCount, element } = props
  const { columns } = visualization
  const prepared = useMemo(() => prepareRows({ fields, rows, rowCount, element, columns }), [fields, rows, rowCount, element, columns])
  if (prepared.problems.length > 0) {
    return (
      <Hint kind="warning">
        {prepared.problems.map((problem) => <p key={problem}>{problem}</p>)}
        <SplitButtons {...props} prepared={prepared} />
      </Hint>
    )
  }
  if (pointCount(prepared) === 0) return <NoRows />
  return <Drawing {...props} prepared={prepared} />
}

function Drawing(props: ChartViewProps & { prepared: PreparedChart }) {
  const { visualization, fields, rows, rowCount, hasTable = false, isFilling = false, onMark, onComment, prepared } = props
  const { marginConfig, columns } = visualization
  const summaryId = useId()
  const [isTable, setIsTable] = useState(false)
  const [mark, setMark] = useState<ChartMark | null>(null)
  const theme = useChartTheme()
  useWorld(prepared)
  const summary = useMemo(() => describeChart(prepared, { rows, rowCount }), [prepared, rows, rowCount])
  const compiled = useMemo(
    () => compileChart(prepared, { theme, marginConfig, columns, hasDrawnLegend: false }),
    [prepared, theme, marginConfig, columns],
  )
  const choose = useCallback((chosen: ChartMark) => (onMark ?? setMark)(chosen), [onMark])
  return (
    <figure className={isFilling ? 'flex h-full min-h-0 min-w-0 flex-col gap-2' : 'grid min-w-0 gap-2'} aria-labelledby={summaryId}>
      {isTable ? (
        <ResultTable fields={fields} rows={rows} columns={columns} />
      ) : (
        <div className={isFilling ? 'min-h-0 flex-1' : 'min-w-0'}>
          <ChartCanvas
            prepared={prepared}
            compiled={compiled}
            colorOf={compiled.colorOf}
            height={isFilling ? '100%' : heightOf(prepared)}
            label={summary.split('. ')[0]!.replace(/\.?$/, '.')}
            onMark={choose}
          />
        </div>
      )}
      <figcaption className="flex flex-wrap items-start justify-between gap-2 text-xs text-soft">
        <span id={summaryId} className="sr-only">{summary}</span>
        <span className="min-w-0 flex-1">
          {prepared.notes.map((note) => <p key={note}>{note}</p>)}
          <SplitButtons {...props} />
        </span>
        {!hasTable && (
          <Button kind="ghost" size="small" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
        )}
      </figcaption>
      {mark && !isTable && (
        <MarkRows mark={mark} fields={fields} rows={rows} columns={columns} onComment={onComment} onClose={() => setMark(null)} />
      )}
    </figure>
  )
}

const maxOffers = 3

function SplitButtons({ prepared, visualization, onSplit }: Pick<ChartViewProps, 'visualization' | 'onSplit'> & { prepared: PreparedChart }) {
  const { element } = prepared
  if (!onSplit || !canSplit(element) || prepared.splitOffers.length === 0) return null
  const split = (column: string) => onSplit(column, { ...visualization, jsxConfig: writeJsxConfig(setSplit(element, column)) })
  return (
    <p className="mt-2 flex flex-wrap gap-2">
      {prepared.splitOffers.slice(0, maxOffers).map((column) => (
        <Button key={column} size="small" onClick={() => split(column)}>Split by {column}</Button>
      ))}
    </p>
  )
}
