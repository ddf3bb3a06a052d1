import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import type { ReferenceInFull } from '../../api/references.ts'
import type { Run } from '../../api/runs.ts'
import { ChartView } from '../../charts/chart-view.tsx'
import type { LoadedResult } from '../../results/load-result.ts'
import { ResultTable } from '../../results/result-table.tsx'
import { RunResult } from '../../results/run-result.tsx'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ChartDialog } from './chart-dialog.tsx'
import { useEditReference } from './use-edit-reference.ts'

/** Shows a result as the reference's chart, with the rows always available as a table. */
export function ReferenceResult(props: {
  reference: ReferenceInFull
  run: Run
  canEditChart: boolean
  isEditingChart: boolean
  onEditChart(isEditing: boolean): void
}) {
  const { reference, run } = props
  const edit = useEditReference(reference.shortId)
  return (
    <RunResult
      run={run}
      actions={
        props.canEditChart && (
          <Button size="small" icon={<ChartColumn />} onClick={() => props.onEditChart(true)}>Edit chart</Button>
        )
      }
    >
      {(result) => (
        <>
          <ResultView reference={reference} result={result} />
          {props.isEditingChart && (
            <ChartDialog
              reference={reference}
              result={result}
              onSave={(visualization) => edit({ visualization })}
              onClose={() => props.onEditChart(false)}
            />
          )}
        </>
      )}
    </RunResult>
  )
}

type Tab = 'chart' | 'table'

function ResultView({ reference, result }: { reference: ReferenceInFull; result: LoadedResult }) {
  const [tab, setTab] = useState<Tab>('chart')
  const { visualization } = reference
  const table = <ResultTable fields={result.fields} rows={result.rows} />
  if (!visualization || visualization.type === 'table') return table
  const chart = <ChartView visualization={visualization} fields={result.fields} rows={result.rows} hasTable />
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
