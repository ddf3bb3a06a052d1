import type { RunStatus } from '../../store/schema.ts'

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
