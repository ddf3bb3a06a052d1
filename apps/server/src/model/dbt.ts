/**
 * What a dbt project says about the tables of one database. An *import* reads the project's artifacts and replaces everything that the
 * earlier import of the same project has written. People's own descriptions are never touched, and take precedence.
 */
export interface DbtTable {
  schema: string
  table: string
  kind: DbtTableKind
  description: string | null
  /** By name. Columns without a description are left out. */
  columns: Record<string, string>
  /** The tables that it is built from, as `schema.table`. */
  builtFrom: string[]
  /** The file in the project that defines it. */
  file: string | null
  /** Its page in the documentation that dbt generates. */
  docsUrl: string | null
  /** Where the file can be read. */
  sourceUrl: string | null
  /** Of a source, if `sources.json` was given. */
  freshness: DbtFreshness | null
}

export const dbtTableKinds = ['model', 'source', 'seed', 'snapshot'] as const
export type DbtTableKind = (typeof dbtTableKinds)[number]

export interface DbtFreshness {
  status: string
  maxLoadedAt: string | null
}

export interface DbtMetric {
  name: string
  label: string
  description: string
  /** How it is computed, such as `sum(amount) from marts.orders`. Null if the manifest does not say it. Missing in older imports. */
  definition?: string | null
}

export interface DbtImport {
  databaseId: string
  project: string
  /** Of the manifest, such as 12. */
  manifestVersion: number
  /** When dbt wrote the manifest. */
  generatedAt: string | null
  tableCount: number
  /** How many of them are in the database's schema. */
  foundTableCount: number
  describedColumnCount: number
  metrics: DbtMetric[]
  importedBy: string
  importedAt: Date
}

export const dbtLimits = {
  uploadBytes: 256 * 1024 ** 2,
  /** One model, with its compiled SQL. */
  entryBytes: 8 * 1024 ** 2,
  tables: 20_000,
  metrics: 2_000,
  manifestVersionMin: 9,
} as const
