import type { Dialect } from './database.ts'
import type { Run, RunStatus } from './run.ts'

/**
 * A *query* is one SQL text for one analytical database. It never changes once stored, so a cached result always belongs to exactly
 * the SQL that produced it.
 */
export interface Query {
  /** UUID. */
  id: string
  sql: string
  analyticalDatabaseConfigId: string
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

export interface LatestRun {
  id: string
  status: RunStatus
  runAt: Date
}

/** A query as shown in lists: with its latest run at the moment that the page shows. */
export interface ListedQuery extends Query {
  latestRun: LatestRun | null
}

/** A query with its latest run, and with its latest completed one (whose result is the cached result). */
export interface QueryWithRuns extends Query {
  /** The SQL dialect of its database. */
  dialect: Dialect
  /** Then it can no longer be run. */
  isDatabaseDeleted: boolean
  /** Whether its database is the one for `ref(…)`. */
  readsSavedQueries: boolean
  /** Whether its database has row rules. */
  hasRowRules: boolean
  latestRun: Run | null
  latestCompletedRun: Run | null
}
