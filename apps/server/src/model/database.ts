import type { ServerSettings } from './server-settings.ts'

/** An *analytical database configuration*: a database of the organization that its queries run against. */
export type AnalyticalDatabase = DuckdbDatabase | ServerDatabase

export interface DuckdbDatabase extends BaseDatabase {
  engine: 'duckdb'
  settings: DuckdbSettings
}

export interface DuckdbSettings {
  /** The name of a DuckDB file in the organization's own folder. */
  file: string
  /** Whether it is the database in which queries read the results of saved queries with `ref(…)`. It has no tables of its own. */
  readsSavedQueries?: true
}

/** A database on a server that others administer. Nothing is ever created or dropped there. */
export interface ServerDatabase extends BaseDatabase {
  engine: ServerEngine
  settings: ServerSettings
  /** Null if there is none. It leaves the process only as part of a connection to one of the places in the settings. */
  sealedPassword: Uint8Array | null
}

export const serverEngines = ['postgres', 'mysql', 'clickhouse'] as const
export type ServerEngine = (typeof serverEngines)[number]

/** The kind of engine is also the SQL dialect. */
export const engineKinds = ['duckdb', ...serverEngines] as const

interface BaseDatabase {
  id: string
  organizationId: string
  name: string
  /** Incremented with every change of settings or password. */
  revision: number
  createdBy: string
  createdAt: Date
  /** Tables and views when it was last described; null until then. */
  tableCount: number | null
  /** Null until it has been tested or a query has run on it. */
  lastTest: LastTest | null
}

/** What is needed to open a database. */
export type ConfiguredDatabase =
  | Pick<DuckdbDatabase, 'id' | 'organizationId' | 'engine' | 'settings' | 'revision'>
  | Pick<ServerDatabase, 'id' | 'organizationId' | 'engine' | 'settings' | 'sealedPassword' | 'revision'>

/** Before it has been tested or described. */
export type NewDatabase =
  | Omit<DuckdbDatabase, 'tableCount' | 'lastTest' | 'revision'>
  | Omit<ServerDatabase, 'tableCount' | 'lastTest' | 'revision'>

export type TestOutcome =
  | { ok: true; durationMs: number; version: string }
  /** `path`: the setting at fault, if known. */
  | { ok: false; message: string; path?: string }

/** The last test, or the last run that the database answered since. Only a test knows a duration and a version. */
export type LastTest = (
  | ({ ok: true } & Partial<Pick<Extract<TestOutcome, { ok: true }>, 'durationMs' | 'version'>>)
  | Extract<TestOutcome, { ok: false }>
) & {
  /** ISO 8601. */
  testedAt: string
}

/** The SQL dialect: parameter rendering reads literals and comments by its rules. */
export type Dialect = 'duckdb' | 'postgres' | 'mysql' | 'clickhouse'

/** A file that is to replace a database's file. */
export interface PendingImport {
  /** In the organization's folder of databases. */
  file: string
  /** The state of the database's file when the import started; see `stateOf`. */
  before: string
}
