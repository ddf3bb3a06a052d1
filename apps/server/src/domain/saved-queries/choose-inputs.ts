import { isPlaceholder, type RefCall } from '../../engines/lineage/ref-calls.ts'
import { isVolatile } from '../../engines/lineage/is-volatile.ts'
import type { Caller } from '../../model/caller.ts'
import type { ParameterValues } from '../../model/parameter.ts'
import type { Run } from '../../model/run.ts'
import type { Random } from '../../ports/random.ts'
import type { TileQuery } from '../../store/boards/read-tile-queries.ts'
import { findUsableRun } from '../../store/runs/find-usable-run.ts'
import { type ChosenInput, insertRunWithInputs, letRunWithInputsWait, readRunInputs } from '../../store/runs/run-inputs.ts'
import { findUnfinishedRunId } from '../../store/runs/waiting-runs.ts'
import { type CostLimitDeps, recordWithinCostLimits } from '../cost-limits/within-cost-limits.ts'
import { newId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { type BoundSql, renderBoundSql } from '../row-rules/render-bound-sql.ts'
import { distinctInputs } from './distinct-inputs.ts'
import { checkInputs, getRefCalls, type InputQueries, nameOf, readInputQueries } from './input-queries.ts'
import { readMaxAge } from './max-age.ts'

export interface InputsDeps extends CostLimitDeps {
  random: Random
  resultLifetimeMs: number
}

/** Who starts the runs of inputs, and for whom they count. */
type Requester = Pick<Caller, 'organizationId' | 'triggerId'> & { personId: string }

/** An input, with the hash of its result if that is known already. */
interface ChosenResult extends ChosenInput {
  resultHash: string | null
}

/**
 * Chooses the result that each `ref(…)` of a query reads: a stored one that is fresh enough, or that of a run that is unfinished or is
 * started here.
 */
export async function chooseInputs(
  deps: InputsDeps,
  requester: Requester,
  query: { sql: string; renderedSql: string },
): Promise<ChosenResult[]> {
  const queries = await readInputQueries(deps.db, requester.organizationId, [query.sql])
  checkInputs(query.sql, queries)
  return chooseAmong(deps, requester, query, queries)
}

async function chooseAmong(
  deps: InputsDeps,
  requester: Requester,
  query: { sql: string; renderedSql: string },
  queries: InputQueries,
): Promise<ChosenResult[]> {
  const chosen: ChosenResult[] = []
  for (const call of distinctInputs(renderedCalls(query)).inputs) {
    const reference = queries.get(call.shortId)!
    const { values, maxAgeMs } = argumentsOf(call, reference)
    const now = deps.clock.now()
    const { analyticalDatabaseConfigId, parameters: definitions } = reference
    const query = { ...reference.query!, analyticalDatabaseConfigId: analyticalDatabaseConfigId! }
    const rendered = renderedFor(reference, () => renderBoundSql(query, { definitions, values, now }))
    const notBefore = new Date(maxAgeMs === undefined ? 0 : now.getTime() - maxAgeMs)
    const run = await findOrStart(deps, requester, { reference, rendered, notBefore, queries })
    chosen.push({ referenceId: reference.referenceId, parameterValues: rendered.parameterValues, inputRunId: run.id, resultHash: run.resultHash })
  }
  return chosen
}

/** The values of parameters may decide which rows are read, but not which saved queries. */
function renderedCalls({ sql, renderedSql }: { sql: string; renderedSql: string }): RefCall[] {
  const written = getRefCalls(sql)
  const rendered = getRefCalls(renderedSql)
  const isSame = written.length === rendered.length && written.every(({ shortId }, at) => shortId === rendered[at]!.shortId)
  if (!isSame) throw new Refusal('ref_invalid', 'The values of parameters cannot change which saved queries are read.')
  return rendered
}

/**
 * `max_age` says how old the result may be, unless the saved query has a parameter with that name. Without it, the setting of the saved
 * query does.
 */
function argumentsOf({ values }: RefCall, reference: TileQuery): { values: ParameterValues; maxAgeMs: number | undefined } {
  const own: ParameterValues = {}
  let maxAgeMs = reference.freshForSeconds === null ? undefined : reference.freshForSeconds * 1000
  for (const [name, value] of Object.entries(values)) {
    if (name === 'max_age' && !reference.parameters.some((parameter) => parameter.name === name)) maxAgeMs = readMaxAge(value)
    else if (isPlaceholder(value)) throw new Refusal('ref_invalid', `The parameter "${name}" of ref has no value.`)
    else own[name] = value
  }
  return { values: own, maxAgeMs }
}

/** Says which saved query a missing or wrong value is for. */
function renderedFor(reference: TileQuery, render: () => BoundSql): BoundSql {
  try {
    return render()
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('ref_invalid', `The saved query ${nameOf(reference)} cannot be read: ${error.message}`)
    throw error
  }
}

interface WantedInput {
  reference: TileQuery
  rendered: BoundSql
  notBefore: Date
  queries: InputQueries
}

async function findOrStart(deps: InputsDeps, requester: Requester, wanted: WantedInput): Promise<{ id: string; resultHash: string | null }> {
  const { reference, rendered, queries } = wanted
  const { queryId } = reference
  const { sql, dialect, readsSavedQueries } = reference.query!
  for (;;) {
    const usable = await findStored(deps, requester, { queryId, ...rendered, notBefore: wanted.notBefore })
    if (usable) return usable
    const inputs = readsSavedQueries ? await chooseAmong(deps, requester, { sql, renderedSql: rendered.renderedSql }, queries) : []
    const { organizationId, triggerId, personId } = requester
    const run = { ...rendered, organizationId, triggerId, id: newId(deps.random, 'run'), queryId, runAt: deps.clock.now() }
    const id = await recordWithinCostLimits(deps, { dialect, personId }, run, async (db) => {
      if (await insertRunWithInputs(db, run, inputs)) return run.id
      // The query runs already. Its run may end between the statements; then the loop finds or starts another.
      return (await letRunWithInputsWait(db, run, inputs)) ? findUnfinishedRunId(db, run) : undefined
    })
    if (id !== undefined) return { id, resultHash: null }
  }
}

/** A run with this SQL that has a stored result, or is unfinished. */
async function findStored(
  deps: InputsDeps,
  { organizationId }: Pick<Requester, 'organizationId'>,
  key: { queryId: string; renderedSql: string; notBefore: Date },
): Promise<Run | undefined> {
  const { queryId, renderedSql, notBefore } = key
  const completedAfter = new Date(deps.clock.now().getTime() - deps.resultLifetimeMs)
  const run = await findUsableRun(deps.db, { organizationId, queryId, renderedSql, notBefore, completedAfter, transientReasons: [''] })
  return run?.status === 'failed' ? undefined : run
}

/** A completed run of the same SQL on the same results, so that there is nothing to run. */
export async function findUnchangedRun(
  deps: InputsDeps,
  { organizationId }: Pick<Requester, 'organizationId'>,
  query: { queryId: string; renderedSql: string },
  inputs: ChosenResult[],
): Promise<Run | undefined> {
  if (inputs.length === 0 || inputs.some(({ resultHash }) => resultHash === null) || isVolatile(query.renderedSql)) return undefined
  const run = await findStored(deps, { organizationId }, { ...query, notBefore: new Date(0) })
  if (run?.status !== 'completed') return undefined
  const before = await readRunInputs(deps.db, { organizationId, runId: run.id })
  const isSame = before.length === inputs.length && before.every(({ resultHash }, at) => resultHash === inputs[at]!.resultHash)
  return isSame ? run : undefined
}
