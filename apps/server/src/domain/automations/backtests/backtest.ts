import type { HistoryFill } from '../../../model/history-fill.ts'
import { countFilledToKeep, findLatestFill } from '../../../store/history/history-fills.ts'
import { dateParametersOf } from '../../history-fills/plan-fill.ts'
import type { Caller } from '../../../model/caller.ts'
import { insertResultMeasures, readResultMeasures, type ResultMeasure } from '../../../store/automations/result-measures.ts'
import { readResultsToReplay, type ResultToReplay } from '../../../store/history/archived-results-table.ts'
import type { FindReference } from '../../../store/references/references-table.ts'
import type { OpenKeptResultDeps } from '../../history/open-kept-result.ts'
import { getReference } from '../../references/references.ts'
import { hasDefaultValues } from '../alerts/has-default-values.ts'
import { checkCondition, type ConditionInput } from '../check-automation.ts'
import type { Backtest } from './replay-alert.ts'
import { alertReplay, conditionReplay } from './replays.ts'

export interface BacktestDeps extends OpenKeptResultDeps {
  findReference: FindReference
}

export interface BacktestAnswer extends Backtest {
  /** Results that are not read yet. */
  remaining: number
  /** Results of filled days that are still being stored. */
  storingCount: number
  /** Parameters whose past values the history can be filled with. */
  dateParameters: string[]
  /** The latest one. */
  fill: HistoryFill | null
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
): Promise<BacktestAnswer> {
  const { organizationId } = caller
  const condition = checkCondition(input.condition)
  const reference = await getReference(deps, caller, condition.reference)
  const { names, measure, replay } = condition.kind === 'alert' ? alertReplay(deps, condition) : conditionReplay(deps, condition, reference)
  const key = { organizationId, referenceId: reference.id }
  // Read before the results: one that is stored in between counts as not stored, and the caller asks again.
  const fill = (await findLatestFill(deps.db, key)) ?? null
  const storingCount = fill ? await countFilledToKeep(deps.db, key) : 0
  const kept = await readResultsToReplay(deps.db, { ...key, count: resultsMax })
  const results = kept.filter((result) => result.isFilled || hasDefaultValues(result, reference.parameters))
  const known = await readKnown(deps, { ...key, names, results })
  const isKnown = ({ runId }: ResultToReplay) => names.every((name) => known.get(runId)?.has(name))
  const missing = results.flatMap((result, at) => (isKnown(result) ? [] : [{ result, previous: results[at - 1] }]))
  for (const { result, previous } of missing.slice(-openedMax)) {
    signal?.throwIfAborted()
    const measures = await measure(result, previous)
    await insertResultMeasures(deps.db, key, measures)
    known.set(result.runId, new Map([...(known.get(result.runId) ?? []), ...measures.map((one) => [one.measure, one] as const)]))
  }
  const readable = results.filter(isKnown)
  const past = readable.map((result) => ({ result, known: known.get(result.runId) ?? new Map<string, ResultMeasure>() }))
  return {
    ...replay(past),
    remaining: results.length - readable.length,
    dateParameters: dateParametersOf(reference.parameters),
    fill,
    storingCount,
  }
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
