import type { RowRule } from './row-rule.ts'
import type { ServerSettings } from './server-settings.ts'

/** An *analytical database configuration*: a database of the organization that its queries run against. */
export type AnalyticalDatabase = FileDatabase | ServerDatabase

/** A kind of engine, such as `clickhouse`: one of those in `engines/registry/`, where each has its definition. */
export type EngineKind = string

/** The SQL dialect, which is the kind of engine: parameter rendering reads literals and comments by its rules. */
export type Dialect = EngineKind

/** A database in a file that the service stores. */
export interface FileDatabase extends BaseDatabase {
  settings: FileSettings
}

export interface FileSettings {
  /** The name of a file in the organization's own folder. */
  file: string
  /** Whether it is the database in which queries read the results of saved queries with `ref(…)`. It has no tables of its own. */
  readsSavedQueries?: true
  /** The member whose uploads it holds. */
  ownerId?: string
}

/** A database on a server that others administer. Nothing is ever created or dropped there. */
export interface ServerDatabase extends BaseDatabase {
  settings: ServerSettings
  /** Null if there is none. It leaves the process only as part of a connection to one of the places in the settings. */
  sealedPassword: Uint8Array | null
}

interface BaseDatabase {
  id: string
  organizationId: string
  engine: EngineKind
  name: string
  /** Incremented with every change of settings or password. */
  revision: number
  createdBy: string
  createdAt: Date
  /** Tables and views when it was last described; null until then. */
  tableCount: number | null
  /** Null until it has been tested or a query has run on it. */
  lastTest: LastTest | null
  /** Only if it has some. */
  rowRules?: RowRule[]
}

/** What is needed to open a database. */
export type ConfiguredDatabase =
  | Pick<FileDatabase, 'id' | 'organizationId' | 'engine' | 'settings' | 'revision'>
  | Pick<ServerDatabase, 'id' | 'organizationId' | 'engine' | 'settings' | 'sealedPassword' | 'revision'>

/** Before it has been tested or described. */
export type NewDatabase =
  | Omit<FileDatabase, 'tableCount' | 'lastTest' | 'revision'>
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

/** A file that is to replace a database's file. */
export interface PendingImport {
  /** In the organization's folder of databases. */
  file: string
  /** The state of the database's file when the import started; see `stateOf`. */
  before: string
}
