import type { Dialect } from '../model/database.ts'
import type { EngineResult, RunStatistics } from '../model/result.ts'
import type { ErrorPosition } from '../model/run.ts'

export interface Column {
  name: string
  /** The type as the database itself names it. */
  type: string
  nullable: boolean
  /** The database's own comment; null where it has none. */
  comment: string | null
}

export interface Table {
  schema: string
  name: string
  kind: 'table' | 'view'
  columns: Column[]
  /** The database's own estimate; null where it has none. */
  rowEstimate: number | null
  /** The database's own comment; null where it has none. */
  comment: string | null
}

/** How one person's statements run, so that the database's own policies select the rows. The statement can't change it. */
export interface EngineSession {
  settings: { name: string; value: string }[]
  role?: string
  user?: string
}

/** A Parquet file as a table with this name. */
export interface FileTable {
  name: string
  /** Absolute path. */
  file: string
}

export interface RunRequest {
  sql: string
  signal: AbortSignal
  /** Files that this statement alone can read as tables. Only for the engine that saved queries are read with. */
  tables?: FileTable[]
  /** Only if the definition of the engine lists the kinds of its bindings. */
  session?: EngineSession
  /**
   * Called from time to time until the first row arrives, with the share of work done: 0 to 100, as the engine estimates it. Never
   * called when the engine has no estimate.
   */
  onProgress?(percent: number): void
}

/**
 * An *engine* is one analytical database that people's SQL runs against. Every kind (DuckDB, PostgreSQL, …)
 * implements this interface and passes the conformance suite.
 *
 * - SQL is read-only, one statement, and runs exactly as given.
 * - Rows leave the engine as JSON bytes, a batch at a time, so that a large result is never held in memory and
 *   each engine can use its fastest way to write them.
 * - A consumer that reads slowly slows the engine down. A signal that aborts stops the statement at the engine.
 */
export interface Engine {
  readonly dialect: Dialect
  /** Starts the statement and resolves when its fields are known. Throws `EngineError` when the engine refuses or stops it. */
  run(request: RunRequest): Promise<EngineResult>
  /** Connects and returns the server's version. Throws `EngineError` when the database cannot be reached. */
  test(signal: AbortSignal): Promise<{ version: string }>
  describe(signal: AbortSignal): Promise<Table[]>
  /** The bytes that the statement would read. Only if the definition of the engine says that it estimates them. */
  estimate?(sql: string, signal: AbortSignal): Promise<number>
  close(): Promise<void>
}

/**
 * - `refused`: the statement is not allowed (not read-only, more than one statement, a forbidden function).
 * - `failed`: the statement caused an error (syntax, missing table, division by zero, out of memory).
 * - `stopped`: the signal aborted, and the engine no longer runs the statement.
 * - `unreachable`: the database could not be opened or went away.
 */
export type EngineErrorKind = 'refused' | 'failed' | 'stopped' | 'unreachable'

export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly kind: EngineErrorKind
  /** Where in the statement the error is; null when the engine does not say. */
  readonly position: ErrorPosition | null

  /** `message` is shown to the author of the SQL: the engine's own message, without the service's paths or addresses. */
  constructor(kind: EngineErrorKind, message: string, options: { cause?: unknown; position?: ErrorPosition | null } = {}) {
    super(message, options)
    this.kind = kind
    this.position = options.position ?? null
  }
}

export const stoppedBeforeStart = () => new EngineError('stopped', 'The statement was stopped before it began.')

export const statementStopped = () => new EngineError('stopped', 'The statement was stopped.')

/** The statistics of a run, for which its rows must have been read. */
export function knownStatistics(statistics: RunStatistics | undefined): RunStatistics {
  if (statistics === undefined) throw new Error('Statistics are known once all batches have been read.')
  return statistics
}
