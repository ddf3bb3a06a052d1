import type { AlertCondition } from '../../../model/alert.ts'
import type { Caller } from '../../../model/caller.ts'
import type { RunCondition } from '../../../model/automation.ts'
import { insertResultMeasures, readResultMeasures, type ResultMeasure } from '../../../store/automations/result-measures.ts'
import { readResultsToReplay, type ResultToReplay } from '../../../store/history/archived-results-table.ts'
import type { FindReference } from '../../../store/references/references-table.ts'
import { openKeptResult, type OpenKeptResultDeps } from '../../history/open-kept-result.ts'
import { badInput } from '../../people/check-text.ts'
import { getReference } from '../../references/references.ts'
import { hasDefaultValues } from '../alerts/has-default-values.ts'
import { observeResult } from '../alerts/observe-result.ts'
import { checkCondition, type ConditionInput } from '../check-automation.ts'
import { measuresOfObservation, namesToKnow, observationOf } from './measure-results.ts'
import { type Backtest, replayAlert } from './replay-alert.ts'

export interface BacktestDeps extends OpenKeptResultDeps {
  findReference: FindReference
}

const resultsMax = 400
/** Opening a result takes time, so a request opens some and the next one continues. */
const openedMax = 40

/**
 * What a condition would have done over the kept results of its query. What is known of a result is stored, so that only the first
 * request opens it. `remaining`: results that are not read yet; the caller asks again until there are none.
 */
export async function backtest(
  deps: BacktestDeps,
  caller: Caller,
  input: { condition: ConditionInput },
  signal?: AbortSignal,
): Promise<Backtest & { remaining: number }> {
  const { organizationId } = caller
  const condition = checkCondition(input.condition)
  const { tests, muteWindows } = condition.kind === 'alert' ? condition : alertLike(condition)
  const reference = await getReference(deps, caller, condition.reference)
  const key = { organizationId, referenceId: reference.id }
  const kept = await readResultsToReplay(deps.db, { ...key, count: resultsMax })
  const results = kept.filter((result) => hasDefaultValues(result, reference.parameters))
  const names = namesToKnow(tests)
  const known = await readKnown(deps, { ...key, names, results })
  const isKnown = ({ runId }: ResultToReplay) => names.every((name) => known.get(runId)?.has(name))
  const missing = results.flatMap((result, at) => (isKnown(result) ? [] : [{ result, previous: results[at - 1] }]))
  for (const { result, previous } of missing.slice(-openedMax)) {
    signal?.throwIfAborted()
    const open = () => openKeptResult(deps, result)
    const measures = measuresOfObservation(await observeResult({ ...result, open }, tests, previous ? () => openKeptResult(deps, previous) : null))
    await insertResultMeasures(deps.db, key, measures)
    known.set(result.runId, new Map(measures.map((measure) => [measure.measure, measure])))
  }
  const readable = results.filter(isKnown)
  const observations = readable.map((result) => observationOf(result, tests, known.get(result.runId) ?? new Map()))
  return { ...replayAlert({ tests, muteWindows }, observations), remaining: results.length - readable.length }
}

type Known = Map<string, Map<string, ResultMeasure>>

/** By run, then by name. */
async function readKnown(
  { db }: BacktestDeps,
  { results, names, ...key }: { organizationId: string; referenceId: string; names: string[]; results: ResultToReplay[] },
): Promise<Known> {
  const known: Known = new Map()
  if (results.length === 0 || names.length === 0) return known
  const span = { from: results[0]!.at, to: results.at(-1)!.at }
  for (const measure of await readResultMeasures(db, { ...key, ...span, measures: names })) {
    const ofRun = known.get(measure.runId) ?? new Map<string, ResultMeasure>()
    ofRun.set(measure.measure, measure)
    known.set(measure.runId, ofRun)
  }
  return known
}

/** A condition that starts runs, as an alert that fires for the same results. */
function alertLike(condition: RunCondition): Pick<AlertCondition, 'tests' | 'muteWindows'> {
  const base = { severity: 'info', kind: 'threshold' } as const
  if (condition.kind === 'changed') throw badInput('/condition/kind', 'cannot be replayed: every change of the result counts')
  const { comparison, number } = condition
  if (comparison === '=' || comparison === '!=') throw badInput('/condition/comparison', `cannot be replayed: use a limit instead of ${comparison}`)
  const measure = condition.kind === 'value' ? { column: condition.column, aggregate: comparison.startsWith('>') ? ('max' as const) : ('min' as const) } : {}
  return { tests: [{ ...base, ...measure, comparison, number }], muteWindows: [] }
}
