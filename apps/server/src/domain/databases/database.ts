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
}
