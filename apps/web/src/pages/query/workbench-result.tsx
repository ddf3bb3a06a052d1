import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { ChartBuilder } from '../../charts/chart-builder.tsx'
import { FormatDialog } from '../../results/format/format-dialog.tsx'
import type { LoadedResult } from '../../results/load-result.ts'
import { ResultTable } from '../../results/result-table.tsx'
import { RunResult } from '../../results/run-result.tsx'
import { Button } from '../../ui/button.tsx'
import { Hint } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { RunHistory } from './run-history.tsx'
import { useFittingChart } from './use-fitting-chart.ts'
import type { WorkbenchState } from './use-workbench.ts'

type Tab = 'table' | 'chart' | 'history'

/** The result of the query as a table and a chart, and its earlier runs. */
export function WorkbenchResult({ state }: { state: WorkbenchState }) {
  const [tab, setTab] = useState<Tab>('table')
  /** The column whose settings are open; an empty name opens the first. */
  const [formatColumn, setFormatColumn] = useState<string | null>(null)
  const { runs, stored, sql, visualization, ranSelection } = state
  const { shown } = runs
  const isOfSelection = shown !== null && shown.queryId === ranSelection
  const queryId = isOfSelection ? ranSelection : (stored?.queryId ?? null)
  if (runs.isLoading) return <Skeleton rows={4} />
  if (queryId === null) return null
  const isOfCurrentSql = shown === null || (shown.queryId === stored?.queryId && stored.sql === sql)
  const nothingYet = <p className="py-6 text-center text-soft">Run the query to see results.</p>
  return (
    <div className="grid gap-3">
      {isOfSelection && <Hint>This is the result of the selected text. Run the query to see all of it.</Hint>}
      {!isOfCurrentSql && !isOfSelection && !runs.active && (
        <Hint>The SQL has changed since this run. Run the query to update the result.</Hint>
      )}
      <Tabs<Tab>
        label="Result"
        current={tab}
        onChange={setTab}
        tabs={[
          {
            name: 'table',
            label: 'Table',
            content: shown ? (
              <RunResult
                key={shown.id}
                run={shown}
                actions={<Button size="small" icon={<SlidersHorizontal />} onClick={() => setFormatColumn('')}>Format columns</Button>}
              >
                {(result) => (
                  <>
                    <FittedTable result={result} state={state} isOfCurrentSql={isOfCurrentSql} onFormat={setFormatColumn} />
                    {formatColumn !== null && (
                      <FormatDialog
                        fields={result.fields}
                        rows={result.rows}
                        visualization={visualization}
                        firstColumn={formatColumn || undefined}
                        description="Saved with the query. Downloads stay as they are."
                        saveLabel="Apply"
                        onSave={state.setVisualization}
                        onClose={() => setFormatColumn(null)}
                      />
                    )}
                  </>
                )}
              </RunResult>
            ) : (
              nothingYet
            ),
          },
          {
            name: 'chart',
            label: 'Chart',
            content: shown ? (
              <RunResult key={shown.id} run={shown}>
                {(result) => <FittedBuilder result={result} state={state} isOfCurrentSql={isOfCurrentSql} />}
              </RunResult>
            ) : (
              nothingYet
            ),
          },
          {
            name: 'history',
            label: 'History',
            content: (
              <RunHistory
                queryId={queryId}
                shownId={shown?.id}
                onShow={(run) => {
                  state.show(run)
                  if (run.status === 'completed') setTab('table')
                }}
              />
            ),
          },
        ]}
      />
    </div>
  )
}

interface FittedProps {
  result: LoadedResult
  state: WorkbenchState
  isOfCurrentSql: boolean
}

/** A chart of the query is adapted to its result, so that it fits when the query is saved. */
function useFittingState({ result, state, isOfCurrentSql }: FittedProps): void {
  const { visualization, fittedTo, setVisualization } = state
  useFittingChart(result, { visualization, isOfCurrentSql, fittedTo, onChange: setVisualization })
}

function FittedBuilder(props: FittedProps) {
  const { result, state } = props
  useFittingState(props)
  return <ChartBuilder fields={result.fields} rows={result.rows} value={state.visualization} onChange={state.setVisualization} />
}

function FittedTable(props: FittedProps & { onFormat(column: string): void }) {
  const { result, state } = props
  useFittingState(props)
  return (
    <ResultTable
      fields={result.fields}
      rows={result.rows}
      columns={state.visualization?.columns}
      hasTotals={state.visualization?.hasTotals}
      isPartial={result.isLoading || result.isCut}
      onFormat={props.onFormat}
    />
  )
}
