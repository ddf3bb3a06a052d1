import type { ParameterValue, ParameterValues, SingleValue } from '../../model/parameter.ts'
import type { Caller } from '../../model/caller.ts'
import type { Field } from '../../model/result.ts'
import type { Run } from '../../model/run.ts'
import { findUsableRun } from '../../store/runs/find-usable-run.ts'
import { renderBoundSql } from '../row-rules/render-bound-sql.ts'
import { getStoredQuery } from '../queries/queries.ts'
import { Refusal } from '../refusal.ts'
import { openResultRows } from '../results/result-rows.ts'
import { isEnded } from '../runs/read-runs.ts'
import { transientReasons } from '../runs/run-outcome.ts'
import type { QueryServices } from '../services.ts'
import { getReference } from '../references/references.ts'

type OptionsDeps = Pick<QueryServices, 'db' | 'clock' | 'findQuery' | 'findReference' | 'results' | 'resultLifetimeMs'>

export interface OptionsRequest {
  shortId: string
  valueColumn: string
  labelColumn?: string
  /** Only options whose label or value contains it, in any case. */
  search?: string
  /** The values of the parameters that the options depend on. */
  values: ParameterValues
}

export interface FoundOptions {
  /** `missing`: the reference has no stored result with these values, so it needs to run. */
  status: 'ready' | 'running' | 'missing' | 'failed'
  options: { value: string; label: string }[]
  /** Whether these are all; else a search finds the others. */
  isComplete: boolean
  completedAt: Date | null
  failureReason: string | null
  /** The values to run the reference with. */
  parameterValues: ParameterValues
}

const optionsMaxCount = 1000
/** Reading stops here, so that a large result cannot keep a request busy. */
const rowsMaxCount = 100_000

/**
 * The values in a column of a reference's newest stored result, as options of a parameter. It never runs the query. A dependency's value
 * goes to the reference's parameter of that name; if it has none, it selects the rows with that value in the column of that name.
 */
export async function readOptions(deps: OptionsDeps, caller: Caller, request: OptionsRequest): Promise<FoundOptions> {
  const reference = await getReference(deps, caller, request.shortId)
  const query = await getStoredQuery(deps, caller, reference.currentQuery.id)
  const isOwn = ([name]: [string, ParameterValue]) => reference.parameters.some((parameter) => parameter.name === name)
  const given = Object.entries(request.values)
  const parameterValues = Object.fromEntries(given.filter(isOwn))
  const filters = given.filter((entry) => !isOwn(entry))
  const now = deps.clock.now()
  const run = await findUsableRun(deps.db, {
    organizationId: caller.organizationId,
    queryId: query.id,
    renderedSql: renderBoundSql(query, { definitions: reference.parameters, values: parameterValues, now }).renderedSql,
    notBefore: new Date(0),
    completedAfter: new Date(now.getTime() - deps.resultLifetimeMs),
    transientReasons,
  })
  const none = { options: [], isComplete: true, completedAt: null, failureReason: null, parameterValues }
  // A query has one run at a time: while it runs with other values, a run with these values has to wait.
  if (!run) return { ...none, status: query.latestRun && !isEnded(query.latestRun) ? 'running' : 'missing' }
  if (run.status === 'failed') return { ...none, status: 'failed', failureReason: run.failureReason }
  if (run.status !== 'completed') return { ...none, status: 'running' }
  const found = await optionsIn(deps, run, { ...request, filters })
  return { ...none, ...found, status: 'ready', completedAt: run.completedAt }
}

async function optionsIn(
  deps: OptionsDeps,
  run: Run,
  { valueColumn, labelColumn = valueColumn, search = '', filters }: OptionsRequest & { filters: [string, ParameterValue][] },
): Promise<Pick<FoundOptions, 'options' | 'isComplete'>> {
  const { fields, rows } = await openResultRows(deps, run)
  const found = new Map<string, string>()
  let isComplete = true
  let readCount = 0
  let places: { value: number; label: number; filters: { at: number; texts: Set<string> }[] } | undefined
  for await (const row of rows) {
    places ??= {
      value: columnOf(fields, valueColumn),
      label: columnOf(fields, labelColumn),
      filters: filters.map(([name, value]) => ({ at: columnOf(fields, name), texts: textsOf(value) })),
    }
    if (++readCount > rowsMaxCount) {
      isComplete = false
      break
    }
    const value = row[places.value]
    if (value === null || !places.filters.every(({ at, texts }) => texts.has(textOf(row[at])))) continue
    const text = textOf(value)
    const label = row[places.label] === null ? text : textOf(row[places.label])
    if (found.has(text) || ![label, text].some((one) => one.toLowerCase().includes(search.toLowerCase()))) continue
    if (found.size === optionsMaxCount) {
      isComplete = false
      break
    }
    found.set(text, label)
  }
  return { options: [...found].map(([value, label]) => ({ value, label })), isComplete }
}

function columnOf(fields: Field[], name: string): number {
  const at = fields.findIndex((field) => field.name === name)
  if (at !== -1) return at
  const names = fields.slice(0, 20).map((field) => `"${field.name}"`)
  throw new Refusal('invalid_request', `The result has no column "${name}". Its columns are ${names.join(', ')}.`)
}

const textsOf = (value: ParameterValue) => new Set((Array.isArray(value) ? value : [value]).map((one: SingleValue) => String(one)))

const textOf = (cell: unknown) => (typeof cell === 'string' ? cell : JSON.stringify(cell))
