import type { ListName } from '../../src/model/page.ts'
import type { ListedQuery } from '../../src/model/query.ts'
import type { Reference } from '../../src/model/reference.ts'
import type { RunStatus } from '../../src/model/run.ts'

/**
 * A model of the lists without a database. Rows are in maps and are replaced, never changed, so that a copy of the maps is a
 * permanent snapshot.
 *
 * - A *state* is what is committed.
 * - A *workspace* is what one transaction has written so far. It sees the state overlaid with its own rows, which become part of
 *   the state when it commits.
 */
export interface State {
  queries: Map<string, ModelQuery>
  references: Map<string, ModelReference>
  runs: Map<string, ModelRun>
}

export interface ModelQuery extends Omit<ListedQuery, 'latestRun'> {
  expiredAt: Date | null
}

export interface ModelReference extends Omit<Reference, 'currentQuery'> {
  queryId: string
  deletedAt: Date | null
}

export interface ModelRun {
  id: string
  queryId: string
  number: number
  status: RunStatus
  runAt: Date
}

export const emptyState = (): State => ({ queries: new Map(), references: new Map(), runs: new Map() })

/** The rows of `below`, overlaid with those of `above`. */
export function overlaid(below: State, above: State = emptyState()): State {
  return {
    queries: new Map([...below.queries, ...above.queries]),
    references: new Map([...below.references, ...above.references]),
    runs: new Map([...below.runs, ...above.runs]),
  }
}

export function latestRunOf(state: State, queryId: string): ModelRun | undefined {
  let latest: ModelRun | undefined
  for (const run of state.runs.values()) {
    if (run.queryId === queryId && run.number > (latest?.number ?? 0)) latest = run
  }
  return latest
}

/** All items of a list, in list order. */
export function listed(state: State, list: ListName): (ListedQuery | Reference)[] {
  return list === 'queries' ? listedQueries(state) : listedReferences(state)
}

function listedQueries(state: State): ListedQuery[] {
  return [...state.queries.values()]
    .filter((query) => query.expiredAt === null)
    .sort(newestFirst)
    .map(({ expiredAt: _, ...query }) => {
      const run = latestRunOf(state, query.id)
      return Object.assign({ latestRun: run ? { id: run.id, status: run.status, runAt: run.runAt } : null }, query)
    })
}

function listedReferences(state: State): Reference[] {
  return [...state.references.values()]
    .filter((reference) => reference.deletedAt === null)
    .sort(newestFirst)
    .map(({ queryId, deletedAt: _, ...fields }) => {
      const sql = fields.isOptimistic ? '' : state.queries.get(queryId)!.sql
      return Object.assign(fields, { currentQuery: { id: queryId, sql } })
    })
}

interface Keyed {
  createdAt: Date
  id: string
}

function newestFirst(a: Keyed, b: Keyed): number {
  const later = b.createdAt.getTime() - a.createdAt.getTime()
  return later === 0 ? (a.id < b.id ? 1 : -1) : later
}
