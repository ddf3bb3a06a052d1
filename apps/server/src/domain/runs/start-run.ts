import type { FindQuery } from '../../store/queries/queries-table.ts'
import { type FindReference, oldestParameters } from '../../store/references/references-table.ts'
import { newId } from '../ids.ts'
import { checkDefinitions } from '../parameters/check-definitions.ts'
import type { ParameterDefinition, ParameterValues } from '../../model/parameter.ts'
import type { Caller } from '../../model/caller.ts'
import { getStoredQuery } from '../queries/queries.ts'
import type { QueryWithRuns } from '../../model/query.ts'
import { getReference } from '../references/references.ts'
import { Refusal } from '../refusal.ts'
import type { InputsDeps } from '../saved-queries/choose-inputs.ts'
import { renderBoundSql } from '../row-rules/render-bound-sql.ts'
import { startRun } from '../saved-queries/start-with-inputs.ts'
import type { Run } from '../../model/run.ts'
import { isEnded } from './read-runs.ts'

export interface StartRunDeps extends InputsDeps {
  findQuery: FindQuery
  findReference: FindReference
}

/** Runs a query with the given values. Uses the given parameter definitions, else those of its oldest reference that has any. */
export async function runQuery(
  deps: StartRunDeps,
  caller: Caller,
  input: { queryId: string; parameterValues?: ParameterValues; definitions?: ParameterDefinition[] },
): Promise<Run> {
  const query = await getStoredQuery(deps, caller, input.queryId)
  const definitions = input.definitions
    ? checkDefinitions(input.definitions)
    : await oldestParameters(deps.db, { organizationId: caller.organizationId, queryId: query.id })
  return start(deps, caller, { query, definitions, values: input.parameterValues ?? {} })
}

/** Runs the query that a reference points to, with that reference's own parameters. */
export async function runReference(
  deps: StartRunDeps,
  caller: Caller,
  input: { shortId: string; parameterValues?: ParameterValues },
): Promise<Run> {
  const reference = await getReference(deps, caller, input.shortId)
  const query = await getStoredQuery(deps, caller, reference.currentQuery.id)
  return start(deps, caller, { query, definitions: reference.parameters, values: input.parameterValues ?? {} })
}

/** Runs a query again with the last run's values and types; the first time, with its parameters' defaults. */
export async function refreshQuery(deps: StartRunDeps, caller: Caller, queryId: string): Promise<Run> {
  const query = await getStoredQuery(deps, caller, queryId)
  if (!query.latestRun) return runQuery(deps, caller, { queryId })
  const { parameterValues, parameterTypes } = query.latestRun
  const definitions = Object.entries(parameterTypes).map(
    ([name, type]): ParameterDefinition => ({
      name,
      displayName: name,
      type,
      defaultValue: '',
      description: '',
      isList: Array.isArray(parameterValues[name]),
    }),
  )
  return start(deps, caller, { query, definitions, values: parameterValues })
}

async function start(
  deps: StartRunDeps,
  caller: Caller,
  input: { query: QueryWithRuns; definitions: ParameterDefinition[]; values: ParameterValues },
): Promise<Run> {
  const { query, definitions, values } = input
  const { organizationId, userId: personId } = caller
  if (query.isDatabaseDeleted) throw databaseDeleted()
  if (query.latestRun && !isEnded(query.latestRun)) throw alreadyRunning()
  const runAt = deps.clock.now()
  const rendered = renderBoundSql(query, { definitions, values, now: runAt })
  const run = await startRun(deps, { ...query, personId }, {
    id: newId(deps.random, 'run'),
    organizationId,
    queryId: query.id,
    triggerId: caller.triggerId,
    runAt,
    ...rendered,
  })
  if (!run) throw alreadyRunning()
  return run
}

const databaseDeleted = () =>
  new Refusal('database_not_found', 'The database of this query was deleted, so the query can no longer be run.')

const alreadyRunning = () =>
  new Refusal(
    'query_already_running',
    'The query is already running. Wait for the current run to finish, or stop it, then try again.',
  )
