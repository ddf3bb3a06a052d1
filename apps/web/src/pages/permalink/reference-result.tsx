import { ChartColumn, SlidersHorizontal } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ReferenceInFull, Visualization } from '../../api/references.ts'
import type { Run } from '../../api/runs.ts'
import { ChartView } from '../../charts/chart-view.tsx'
import type { PointAsShown } from '../../comments/describe-point.ts'
import { useCommentOnPoint } from '../../comments/use-comment-on-point.ts'
import { FormatDialog } from '../../results/format/format-dialog.tsx'
import type { LoadedResult } from '../../results/load-result.ts'
import { ResultTable } from '../../results/result-table.tsx'
import { RunResult } from '../../results/run-result.tsx'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ChartDialog } from './chart-dialog.tsx'
import { type Split, SplitNotice } from './split-notice.tsx'
import { useEditReference } from './use-edit-reference.ts'

/** The columns are being formatted, starting with this one. */
export interface Formatting {
  column?: string
}

/** Shows a result as the reference's chart, with the rows always available as a table. */
export function ReferenceResult(props: {
  reference: ReferenceInFull
  run: Run
  canEditChart: boolean
  isManaged: boolean
  isEditingChart: boolean
  onEditChart(isEditing: boolean): void
  formatting: Formatting | null
  onFormat(formatting: Formatting | null): void
}) {
  const { reference, run, canEditChart, isManaged, formatting, onFormat } = props
  const edit = useEditReference(reference.shortId)
  const onComment = useCommentOnPoint({ runId: run.id })
  return (
    <RunResult
      run={run}
      actions={
        canEditChart && (
          <>
            <Button size="small" icon={<ChartColumn />} onClick={() => props.onEditChart(true)}>Edit chart</Button>
            <Button size="small" icon={<SlidersHorizontal />} onClick={() => onFormat({})}>Format columns</Button>
          </>
        )
      }
    >
      {(result) => (
        <>
          <ResultView
            reference={reference}
            result={result}
            onFormat={canEditChart ? onFormat : undefined}
            onComment={onComment}
            onSaveChart={isManaged ? undefined : (visualization) => edit({ visualization })}
          />
          {props.isEditingChart && (
            <ChartDialog
              reference={reference}
              result={result}
              onSave={(visualization) => edit({ visualization })}
              onClose={() => props.onEditChart(false)}
            />
          )}
          {formatting && (
            <FormatDialog
              fields={result.fields}
              rows={result.rows}
              visualization={reference.visualization ?? null}
              firstColumn={formatting.column}
              description="Everyone who opens this link sees the columns this way. Downloads stay as they are."
              saveLabel="Save"
              onSave={(visualization) => edit({ visualization })}
              onClose={() => onFormat(null)}
            />
          )}
        </>
      )}
    </RunResult>
  )
}

type Tab = 'chart' | 'table'

/** The rows of a result as the chart of a reference, and as a table. */
export function ResultView(props: {
  reference: Pick<ReferenceInFull, 'visualization'>
  result: LoadedResult
  onFormat: ((formatting: Formatting) => void) | undefined
  onComment: ((point: PointAsShown) => void) | undefined
  /** Undefined where nothing can be changed. */
  onSaveChart: ((visualization: Visualization) => Promise<void>) | undefined
}) {
  const { reference, result, onFormat, onComment, onSaveChart } = props
  const [tab, setTab] = useState<Tab>('chart')
  const [split, setSplit] = useState<Split | null>(null)
  // A chart that was saved since replaces the split.
  const shownSplit = split?.of === reference.visualization ? split : null
  const visualization = shownSplit?.visualization ?? reference.visualization
  const formatColumn = useMemo(() => onFormat && ((column: string) => onFormat({ column })), [onFormat])
  const isPartial = result.isLoading || result.isCut
  const table = (
    <ResultTable
      fields={result.fields}
      rows={result.rows}
      columns={visualization?.columns}
      hasTotals={visualization?.hasTotals}
      isPartial={isPartial}
      onFormat={formatColumn}
      onComment={onComment}
    />
  )
  if (!visualization || visualization.type === 'table') return table
  const chart = (
    <div className="grid gap-3">
      {shownSplit && onSaveChart && <SplitNotice split={shownSplit} onSave={onSaveChart} onUndo={() => setSplit(null)} />}
      <ChartView
        visualization={visualization}
        fields={result.fields}
        rows={result.rows}
        hasTable
        onSplit={onSaveChart && ((column, made) => setSplit({ column, visualization: made, of: reference.visualization }))}
      />
    </div>
  )
  if (visualization.type === 'number') {
    return (
      <div className="grid gap-3">
        {chart}
        {table}
      </div>
    )
  }
  return (
    <Tabs<Tab>
      label="Result view"
      current={tab}
      onChange={setTab}
      tabs={[
        { name: 'chart', label: 'Chart', content: chart },
        { name: 'table', label: 'Table', content: table },
      ]}
    />
  )
}
