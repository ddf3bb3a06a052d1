/** An *analytical database configuration*: a database of the organization that its queries run against. */
export interface AnalyticalDatabase {
  id: string
  organizationId: string
  name: string
  /** The kind of engine; also the SQL dialect. */
  engine: 'duckdb'
  /** `file`: the name of a DuckDB file in the organization's own folder. */
  settings: { file: string }
  createdBy: string
  createdAt: Date
  /** Tables and views when it was last described; null until then. */
  tableCount: number | null
  /** Null until somebody has tried it. */
  lastTest: LastTest | null
}

/** Before anything is known of it. */
export type NewDatabase = Omit<AnalyticalDatabase, 'tableCount' | 'lastTest'>

export type TestOutcome = { ok: true; durationMs: number; version: string } | { ok: false; message: string }

export type LastTest = TestOutcome & {
  /** ISO 8601. */
  testedAt: string
}
