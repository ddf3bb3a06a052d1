import { readDecimal, signOf } from '@querypost/answers'
import type { NumberFault, Sums } from '../../../engines/duckdb/compare/row-comparer.ts'
import type { Caller } from '../../../model/caller.ts'
import type { KeptResultInFull } from '../../../model/history.ts'
import type { Field } from '../../../model/result.ts'
import { readRawRows } from '../../../results/read-rows.ts'
import { readPathResults, readSqlOfQueries } from '../../../store/history/path-results.ts'
import { compareColumns, keyCandidates, type SharedColumn } from '../compare/compare-columns.ts'
import { chosenKey, type CompareDeps } from '../compare/compare-results.ts'
import { linesOf, rowMaxBytes, withRowsOfBoth } from '../compare/row-lines.ts'
import { getKeptResult } from '../kept-results.ts'
import { openKeptResult } from '../open-kept-result.ts'
import { breakDown, type MeasureChange, sumTexts } from './break-down.ts'
import { type Cause, findPath, type PathResult } from './change-path.ts'
import { chooseDimensions, chooseMeasures, findNumberColumns, type Measure, type MeasureChoice, measureInvalid } from './choose-columns.ts'
import { numberOf } from './exact-numbers.ts'
import { type ChangedParameter, changedParameters, parametersText } from './parameters.ts'

/** Why the numbers of two kept results of a reference differ. */
export interface ExplainedChange {
  from: KeptResultInFull
  to: KeptResultInFull
  /** Null if it is the same. */
  sql: { before: string | null; after: string | null } | null
  parameters: ChangedParameter[]
  /** The columns that can be chosen as a measure or a denominator. */
  numberColumns: string[]
  measures: ExplainedMeasure[]
  steps: ExplainedStep[]
}

export interface ExplainedMeasure extends Measure {
  before: string
  after: string
  difference: string
  /** They add up to the difference. A part with several causes cannot be separated with the results that are kept. */
  parts: { causes: Cause[]; difference: string }[]
}

export interface ExplainedStep {
  causes: Cause[]
  from: { runId: string; at: Date }
  to: { runId: string; at: Date }
  keyColumns: string[]
  keyChoice: 'chosen' | 'inferred' | 'all_columns'
  added: number
  removed: number
  changed: number
  numberColumns: string[]
  measures: (Measure & MeasureChange)[]
}

interface Choice extends MeasureChoice {
  keyColumns?: string[] | undefined
  signal: AbortSignal
}

/** Contributions that are listed; the others are added up. */
const shownCount = 10

/** Splits the difference between two kept results of a reference into SQL, parameters and data, and each part by key and dimension. */
export async function explainChange(
  deps: CompareDeps,
  caller: Pick<Caller, 'organizationId'>,
  { shortId, ...input }: Choice & { shortId: string; from: string; to: string },
): Promise<ExplainedChange> {
  const { reference, result: from } = await getKeptResult(deps, caller, { shortId, runId: input.from })
  const { result: to } = await getKeptResult(deps, caller, { shortId, runId: input.to })
  const { organizationId } = caller
  const key = { organizationId, referenceId: reference.id }
  const isSame = from.queryId === to.queryId && parametersText(from.parameterValues) === parametersText(to.parameterValues)
  const others = isSame ? [] : await readPathResults(deps.db, { ...key, from: from.at, to: to.at })
  const sqlTexts = await readSqlOfQueries(deps.db, { organizationId, queryIds: [...new Set([from, to, ...others].map(({ queryId }) => queryId))] })
  const asNode = (result: Omit<KeptResultInFull, 'parameterTypes'> | (typeof others)[number]): PathResult => ({
    ...result,
    // An expired query has no SQL any more, but its id stays the same.
    sql: sqlTexts.get(result.queryId) ?? result.queryId,
    parameters: parametersText(result.parameterValues),
  })
  const objects = new Map([from, to, ...others].map(({ runId, objectId }) => [runId, { runId, objectId }]))
  const [start, end] = [asNode(from), asNode(to)]
  const steps: ExplainedStep[] = []
  for (const step of await findUsablePath(deps, { start, end, others: others.map(asNode), objects, choice: input })) {
    const explained = await explainStep(deps, { from: objects.get(step.from.runId)!, to: objects.get(step.to.runId)! }, input)
    steps.push({ causes: step.causes, from: pointOf(step.from), to: pointOf(step.to), ...explained })
  }
  return {
    from,
    to,
    sql: start.sql === end.sql ? null : { before: sqlTexts.get(from.queryId) ?? null, after: sqlTexts.get(to.queryId) ?? null },
    parameters: changedParameters(from.parameterValues, to.parameterValues),
    numberColumns: steps[0]!.numberColumns.filter((name) => steps.every(({ numberColumns }) => numberColumns.includes(name))),
    measures: measuresOf(steps),
    steps,
  }
}

const pointOf = ({ runId, at }: PathResult) => ({ runId, at })
type StoredObject = Pick<KeptResultInFull, 'runId' | 'objectId'>

/** A path through other results, if these have the measures; else the direct one, whose causes cannot be separated. */
async function findUsablePath(
  deps: CompareDeps,
  { start, end, others, objects, choice }: { start: PathResult; end: PathResult; others: PathResult[]; objects: Map<string, StoredObject>; choice: Choice },
) {
  const path = findPath(start, end, others)
  if (path.length === 1) return path
  const fields: Field[][] = []
  for (const { runId } of [start, ...path.map(({ to }) => to)]) fields.push(await readFields(deps, objects.get(runId)!))
  const measures = chooseMeasures(compareColumns(fields[0]!, fields.at(-1)!).shared, choice)
  const hasAll = (each: Field[]) =>
    measures.every(({ column, denominator }) => [column, denominator ?? column].every((name) => each.some((field) => field.name === name)))
  return fields.every(hasAll) ? path : findPath(start, end, [])
}

async function readFields(deps: CompareDeps, object: StoredObject): Promise<Field[]> {
  const { fields, batches } = await readRawRows(await openKeptResult(deps, object), { rowMaxBytes })
  await batches.return(undefined)
  return fields
}

const explainStep = (deps: CompareDeps, { from, to }: { from: StoredObject; to: StoredObject }, choice: Choice) =>
  withRowsOfBoth({ from: () => openKeptResult(deps, from), to: () => openKeptResult(deps, to) }, (rows) => explainRows(deps, rows, choice))

type Rows = Awaited<ReturnType<typeof readRawRows>>

/** Explains the difference between any two results. */
export async function explainRows(
  { rowComparer }: Pick<CompareDeps, 'rowComparer'>,
  rows: { from: Rows; to: Rows },
  choice: Choice,
): Promise<Omit<ExplainedStep, 'causes' | 'from' | 'to'>> {
  const { shared } = compareColumns(rows.from.fields, rows.to.fields)
  const measures = chooseMeasures(shared, choice)
  const isRatio = (measures[0]?.denominator ?? null) !== null
  const summed = measures.flatMap(({ column, denominator }) => (denominator === null ? [column] : [column, denominator]))
  const columns = summed.map((name) => shared.find((column) => column.name === name)!)
  const dimensions = chooseDimensions(shared)
  const key = choice.keyColumns ? chosenKey(shared, choice.keyColumns) : null
  const comparison = await rowComparer.compare({
    rows: { from: linesOf(rows.from), to: linesOf(rows.to) },
    shared: shared.map(({ from, to }) => ({ from, to })),
    key,
    candidates: keyCandidates(shared),
    ...(columns.length > 0 && {
      contributions: { measures: columns, isRatio, dimensions: dimensions.map((position) => shared[position]!), shownCount },
    }),
    signal: choice.signal,
  })
  await comparison.close()
  const { contributions } = comparison
  const faults = faultsOf(columns, contributions?.faults ?? [])
  refuseFaults(faults, choice)
  if (isRatio && contributions) refuseZero(contributions.totals, measures[0]!)
  const names = comparison.isFound ? comparison.key.map((position) => shared[position]!.name) : []
  const dimensionNames = dimensions.map((position) => shared[position]!.name)
  const changes = contributions ? breakDown(contributions, { measureCount: columns.length, isRatio, key: names, dimensions: dimensionNames }) : []
  return {
    keyColumns: comparison.key.map((position) => shared[position]!.name),
    keyChoice: key ? 'chosen' : comparison.isFound ? 'inferred' : 'all_columns',
    added: comparison.added,
    removed: comparison.removed,
    changed: comparison.changed,
    numberColumns: findNumberColumns(shared),
    measures: measures.flatMap((measure, index) => (faults.has(measure.column) ? [] : [{ ...measure, ...withoutKeyTwice(changes[index]!) }])),
  }
}

/** A dimension that is the key would be the same list again. */
function withoutKeyTwice(change: MeasureChange): MeasureChange {
  const key = change.breakdowns.find(({ isKey }) => isKey)
  const isKeyAgain = ({ isKey, columns }: MeasureChange['breakdowns'][number]) => !isKey && key?.columns.length === 1 && key.columns[0] === columns[0]
  return { ...change, breakdowns: change.breakdowns.filter((each) => !isKeyAgain(each)) }
}

const faultTexts: Record<NumberFault, string> = {
  not_a_number: 'has values that are not numbers, such as NaN',
  out_of_range: 'has numbers with more than 27 digits before or after the decimal point',
}

const faultsOf = (columns: SharedColumn[], faults: (NumberFault | null)[]): Map<string, string> =>
  new Map(faults.flatMap((fault, index) => (fault ? [[columns[index]!.name, faultTexts[fault]]] : [])))

/** Columns that were not asked for are left out instead. */
function refuseFaults(faults: Map<string, string>, choice: Choice): void {
  for (const path of ['measure', 'denominator'] as const) {
    const name = choice[path]
    const fault = name === undefined ? undefined : faults.get(name)
    if (fault) throw measureInvalid(`The column ${JSON.stringify(name)} ${fault}, so it cannot be added up exactly.`, path, fault)
  }
}

function refuseZero(totals: Sums, { denominator }: Measure): void {
  for (const side of ['from', 'to'] as const) {
    if (signOf(numberOf(totals[side][1]!)) !== 0) continue
    const which = side === 'from' ? 'earlier' : 'later'
    throw measureInvalid(`The sum of ${JSON.stringify(denominator)} is zero in the ${which} result, so the ratio has no value.`, 'denominator', 'adds up to zero')
  }
}

const sum = (texts: string[]) => sumTexts(texts.map((text) => readDecimal(text)!))

/** The steps add up: each begins where the one before ended. */
function measuresOf(steps: ExplainedStep[]): ExplainedMeasure[] {
  const usable = steps[0]!.measures.filter(({ column }) => steps.every(({ measures }) => measures.some((each) => each.column === column)))
  return usable.map(({ column, denominator, before }) => {
    const changes = steps.map(({ causes, measures }) => ({ causes, ...measures.find((each) => each.column === column)! }))
    const byCauses = new Map<string, { causes: Cause[]; differences: string[] }>()
    for (const { causes, difference } of changes) {
      const part = byCauses.get(causes.join()) ?? { causes, differences: [] }
      part.differences.push(difference)
      byCauses.set(causes.join(), part)
    }
    return {
      column,
      denominator,
      before,
      after: changes.at(-1)!.after,
      difference: sum(changes.map(({ difference }) => difference)),
      parts: [...byCauses.values()].map(({ causes, differences }) => ({ causes, difference: sum(differences) })),
    }
  })
}
