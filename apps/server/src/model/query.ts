import type { Dialect } from './database.ts'
import type { Run, RunStatus } from './run.ts'

/** A *query* is one SQL text for one analytical database. It never changes once stored, so a cached result always belongs to exactly the SQL that made it. */
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

/** As lists show it: with the latest run of the moment the page speaks of. */
export interface ListedQuery extends Query {
  latestRun: LatestRun | null
}

/** A query with its latest run, and with its latest completed one (whose result is the cached result). */
export interface QueryWithRuns extends Query {
  /** By whose rules its SQL is read. */
  dialect: Dialect
  /** Then it cannot be run any more. */
  isDatabaseDeleted: boolean
  latestRun: Run | null
  latestCompletedRun: Run | null
}
