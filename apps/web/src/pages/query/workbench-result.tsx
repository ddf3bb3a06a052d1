import { useState } from 'react'
import { ChartBuilder } from '../../charts/chart-builder.tsx'
import { RunResult } from '../../results/run-result.tsx'
import { Hint } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { RunHistory } from './run-history.tsx'
import type { WorkbenchState } from './use-workbench.ts'

type Tab = 'table' | 'chart' | 'history'

/** The result of the query as a table and a chart, and its earlier runs. */
export function WorkbenchResult({ state }: { state: WorkbenchState }) {
  const [tab, setTab] = useState<Tab>('table')
  const { runs, stored, sql, visualization } = state
  const { shown } = runs
  if (runs.isLoading) return <Skeleton rows={4} />
  if (!stored) return null
  const isOfThisText = shown === null || (shown.queryId === stored.queryId && stored.sql === sql)
  const nothingYet = <p className="py-6 text-center text-soft">Run the query to see results.</p>
  return (
    <div className="grid gap-3">
      {!isOfThisText && !runs.active && (
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
            content: shown ? <RunResult key={shown.id} run={shown} /> : nothingYet,
          },
          {
            name: 'chart',
            label: 'Chart',
            content: shown ? (
              <RunResult key={shown.id} run={shown}>
                {({ fields, rows }) => (
                  <ChartBuilder fields={fields} rows={rows} value={visualization} onChange={state.setVisualization} />
                )}
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
                queryId={stored.queryId}
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
