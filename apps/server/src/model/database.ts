import type { ServerSettings } from './server-settings.ts'

/** An *analytical database configuration*: a database of the organization that its queries run against. */
export type AnalyticalDatabase = DuckdbDatabase | ServerDatabase

export interface DuckdbDatabase extends OfEveryKind {
  engine: 'duckdb'
  settings: DuckdbSettings
}

/** `file`: the name of a DuckDB file in the organization's own folder. */
export interface DuckdbSettings {
  file: string
}

/** A database on a server that others look after. Nothing is ever created or dropped there. */
export interface ServerDatabase extends OfEveryKind {
  engine: ServerEngine
  settings: ServerSettings
  /** Null where there is none. It leaves the process only as part of a connection to one of the settings' places. */
  sealedPassword: Uint8Array | null
}

export const serverEngines = ['postgres', 'mysql', 'clickhouse'] as const
export type ServerEngine = (typeof serverEngines)[number]

/** The kind of engine is also the SQL dialect. */
export const engineKinds = ['duckdb', ...serverEngines] as const

interface OfEveryKind {
  id: string
  organizationId: string
  name: string
  /** Grows with every change of settings or password. */
  revision: number
  createdBy: string
  createdAt: Date
  /** Tables and views when it was last described; null until then. */
  tableCount: number | null
  /** Null until somebody has tried it. */
  lastTest: LastTest | null
}

/** What it takes to open one. */
export type ConfiguredDatabase =
  | Pick<DuckdbDatabase, 'id' | 'organizationId' | 'engine' | 'settings' | 'revision'>
  | Pick<ServerDatabase, 'id' | 'organizationId' | 'engine' | 'settings' | 'sealedPassword' | 'revision'>

/** Before anything is known of it. */
export type NewDatabase =
  | Omit<DuckdbDatabase, 'tableCount' | 'lastTest' | 'revision'>
  | Omit<ServerDatabase, 'tableCount' | 'lastTest' | 'revision'>

export type TestOutcome =
  | { ok: true; durationMs: number; version: string }
  /** `path`: which of the settings is at fault, where that can be told. */
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

/** A file that is to take the place of a database's file. */
export interface PendingImport {
  /** In the organization's folder of databases. */
  file: string
  /** What the database's file was when the import began; see `stateOf`. */
  before: string
}
