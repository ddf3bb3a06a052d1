import type { AlertCondition, AlertTest } from '../../../model/alert.ts'
import type { RunCondition } from '../../../model/automation.ts'
import type { ResultMeasure } from '../../../store/automations/result-measures.ts'
import type { ResultToReplay } from '../../../store/history/archived-results-table.ts'
import { openKeptResult, type OpenKeptResultDeps } from '../../history/open-kept-result.ts'
import { observeResult } from '../alerts/observe-result.ts'
import { readColumn } from '../conditions/read-column.ts'
import { measuresOfObservation, namesToKnow, observationOf } from './measure-results.ts'
import { type Backtest, replayAlert } from './replay-alert.ts'
import { columnFacts, equalName, measuresOfCondition, replayCondition } from './replay-condition.ts'

/** How a condition is replayed: which measures it needs, how they are read from a result, and what follows from them. */
export interface Replay {
  names: string[]
  measure(result: ResultToReplay, previous: ResultToReplay | undefined): Promise<ResultMeasure[]>
  replay(past: { result: ResultToReplay; known: ReadonlyMap<string, ResultMeasure> }[]): Backtest
}

export function alertReplay(deps: OpenKeptResultDeps, { tests, muteWindows }: AlertCondition): Replay {
  return {
    names: namesToKnow(tests),
    async measure(result, previous) {
      const open = () => openKeptResult(deps, result)
      return measuresOfObservation(await observeResult({ ...result, open }, tests, previous ? () => openKeptResult(deps, previous) : null))
    },
    replay: (past) => replayAlert({ tests, muteWindows }, past.map(({ result, known }) => observationOf(result, tests, known))),
  }
}

export function conditionReplay(deps: OpenKeptResultDeps, condition: RunCondition, { title }: { title: string }): Replay {
  const names = measuresOfCondition(condition)
  return {
    names,
    measure: (result) => (condition.kind === 'value' ? measureColumn(deps, condition, result) : Promise.resolve([])),
    replay: (past) =>
      replayCondition(
        condition,
        past.map(({ result, known }) => {
          const { at, runId, rowCount, resultHash } = result
          const measures = names.flatMap((name) => known.get(name) ?? [])
          const values = measures.map(({ value }) => value)
          const column = condition.kind === 'value' && { column: columnFacts(condition, values) }
          const fault = measures.find((one) => one.fault !== null)?.fault ?? null
          return { at, facts: { runId, title, rowCount, resultHash, ...column }, fault, value: column ? (values.at(-1) ?? null) : String(rowCount) }
        }),
      ),
  }
}

async function measureColumn(deps: OpenKeptResultDeps, condition: RunCondition & { kind: 'value' }, result: ResultToReplay): Promise<ResultMeasure[]> {
  const { column, comparison } = condition
  const open = () => openKeptResult(deps, result)
  const base = { kind: 'threshold', severity: 'info', comparison: '>', number: 0, column } as const
  const both: AlertTest[] = [{ ...base, aggregate: 'min' }, { ...base, aggregate: 'max' }]
  const measures = measuresOfObservation(await observeResult({ ...result, open }, both, null))
  if (comparison !== '=') return measures
  const { runId, at } = result
  const facts = await readColumn(await open(), condition)
  const fault = facts.kind === 'read' ? null : (measures.find((one) => one.fault !== null)?.fault ?? null)
  return [...measures, { runId, at, measure: equalName(condition), value: facts.kind === 'read' ? facts.found : null, fault }]
}
