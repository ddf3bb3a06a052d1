/**
 * The engines of this process.
 *
 * - An *opened* engine belongs to one revision of one database, and to no other settings or password.
 * - A statement, a test or a description that is under way is a *use* of it. No engine is closed while it has one.
 * - An engine is *retired* when a later revision of its database is asked for, or the database is deleted: what goes on in it ends
 *   undisturbed, and with the last use it is closed. Whoever still comes with the earlier revision, as a worker that had claimed
 *   its run just before, is served by it.
 * - One that nobody has used for a while is closed, so that no connection outlives the interest in it; the next use opens
 *   it anew. That is also how a process learns of a deletion elsewhere. (DuckDB ends its spare processes by itself.)
 *
 * No process tells another of a change: whoever asks brings the configuration as it is stored.
 */
import path from 'node:path'
import { openDuckdbEngine } from '../../engines/duckdb/duckdb-engine.ts'
import { type Engine, EngineError, type RunRequest } from '../../engines/engine.ts'
import type { EngineResult, RowBatch } from '../../model/result.ts'
import { findRefusal, type ServerOptions, type ServerRefused } from '../../engines/server-options.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Sealer } from '../sealing.ts'
import type { ConfiguredDatabase, DuckdbDatabase, ServerEngine } from '../../model/database.ts'
import { isOnServer } from './is-on-server.ts'
import { openPassword } from './database-password.ts'

export interface Engines {
  /** The engine of a database as it is configured there. Opened with its first use, and closed by nobody but this. */
  engineOf(database: ConfiguredDatabase): Engine
  /** An engine of its own for a try, which the caller closes. Throws `EngineError` where the password cannot be read. */
  openApart(database: ConfiguredDatabase): Engine
  /** The database was deleted, or (`before`) its revisions before that one are over. */
  retire(databaseId: string, options?: { before: number }): void
  close(): Promise<void>
}

export interface EnginesDeps {
  clock: Clock
  log: Log
  sealer: Sealer
  dataDirectory: string
  /** What engines may fill while they work. That of the data directory without it. */
  temporaryDirectory?: string
  addressesOf: ServerOptions['addressesOf']
  ownStore: NonNullable<ServerOptions['ownStore']>
  /** Called when a database in use leads to where the service does not connect. A try says so by its outcome. */
  onRefused?(database: ConfiguredDatabase, error: ServerRefused): void
  /** How an engine on a server is opened. */
  openers: Record<ServerEngine, (options: ServerOptions) => Engine>
  /** Of one database and this process. */
  maxConnections?: number
  idleMs?: number
  /** Called when a database has accepted a statement of a run. */
  onAnswered?(database: ConfiguredDatabase): void
}

interface Opened {
  engine: Engine
  revision: number
  useCount: number
  isRetired: boolean
  /** Aborts when somebody uses it again. */
  idling: AbortController | undefined
}

export function makeEngines(deps: EnginesDeps): Engines {
  const { clock, log, idleMs = 5 * 60_000, maxConnections = 4 } = deps
  const openedOf = new Map<string, Opened[]>()
  const closings = new Set<Promise<void>>()

  function open(database: ConfiguredDatabase, connections: number): Engine {
    const { dataDirectory, temporaryDirectory = path.join(dataDirectory, 'temporary') } = deps
    if (!isOnServer(database)) {
      return openDuckdbEngine({ file: databaseFile({ dataDirectory, ...database }), temporaryDirectory, clock, log })
    }
    const { settings } = database
    const password = passwordOf(deps.sealer, database)
    const { addressesOf, ownStore } = deps
    const options = { settings, password, addressesOf, ownStore, maxConnections: connections, clock, log }
    return deps.openers[database.engine](options)
  }

  function close(databaseId: string, opened: Opened): void {
    const others = openedOf.get(databaseId)!.filter((each) => each !== opened)
    if (others.length > 0) openedOf.set(databaseId, others)
    else openedOf.delete(databaseId)
    opened.idling?.abort()
    const closing = opened.engine
      .close()
      .catch((error: unknown) => log.error({ err: error, databaseId }, 'an engine could not be closed'))
      .finally(() => closings.delete(closing))
    closings.add(closing)
  }

  function retire(databaseId: string, opened: Opened): void {
    opened.isRetired = true
    if (opened.useCount === 0) close(databaseId, opened)
  }

  async function closeWhenIdle(databaseId: string, opened: Opened): Promise<void> {
    const idling = new AbortController()
    opened.idling = idling
    await clock.sleep(idleMs, idling.signal)
    if (!idling.signal.aborted) close(databaseId, opened)
  }

  function beginUse(database: ConfiguredDatabase): { engine: Engine; end(): void } {
    const { id, revision } = database
    for (const each of openedOf.get(id) ?? []) if (each.revision < revision && !each.isRetired) retire(id, each)
    const known = openedOf.get(id) ?? []
    let opened = known.find((each) => each.revision === revision)
    if (!opened) {
      const isRetired = known.some((each) => each.revision > revision)
      opened = { engine: open(database, maxConnections), revision, useCount: 0, isRetired, idling: undefined }
      openedOf.set(id, [...known, opened])
    }
    const used = opened
    used.useCount++
    used.idling?.abort()
    let isOver = false
    return {
      engine: used.engine,
      end() {
        if (isOver) return
        isOver = true
        used.useCount--
        if (used.useCount > 0 || !openedOf.get(id)?.includes(used)) return
        if (used.isRetired) close(id, used)
        else if (isOnServer(database)) void closeWhenIdle(id, used)
      },
    }
  }

  async function using<Result>(database: ConfiguredDatabase, work: (engine: Engine) => Promise<Result>): Promise<Result> {
    const use = beginUse(database)
    try {
      return await work(use.engine)
    } catch (error) {
      noteRefused(database, error)
      throw error
    } finally {
      use.end()
    }
  }

  async function run(database: ConfiguredDatabase, request: RunRequest): Promise<EngineResult> {
    const use = beginUse(database)
    try {
      const result = await use.engine.run(request)
      deps.onAnswered?.(database)
      return { ...result, batches: countedBatches(result.batches, request.signal, use.end) }
    } catch (error) {
      use.end()
      noteRefused(database, error)
      throw error
    }
  }

  function noteRefused(database: ConfiguredDatabase, error: unknown): void {
    const refusal = findRefusal(error)
    if (refusal) deps.onRefused?.(database, refusal)
  }

  return {
    openApart: (database) => open(database, 1),
    engineOf: (database) => ({
      dialect: database.engine,
      run: (request) => run(database, request),
      test: (signal) => using(database, (engine) => engine.test(signal)),
      describe: (signal) => using(database, (engine) => engine.describe(signal)),
      close: async () => {},
    }),
    retire(databaseId, { before } = { before: Infinity }) {
      for (const each of openedOf.get(databaseId) ?? []) if (each.revision < before) retire(databaseId, each)
    },
    async close() {
      for (const [id, all] of openedOf) for (const each of all) close(id, each)
      await Promise.all(closings)
    },
  }
}

/** A result is in use until its last batch was read, its reader has had enough, or its statement was stopped before the first. */
function countedBatches(batches: AsyncIterable<RowBatch>, signal: AbortSignal, end: () => void): AsyncIterable<RowBatch> {
  let isBegun = false
  const stopped = () => {
    if (!isBegun) end()
  }
  signal.addEventListener('abort', stopped, { once: true })
  if (signal.aborted) stopped()
  return (async function* () {
    isBegun = true
    try {
      yield* batches
    } finally {
      signal.removeEventListener('abort', stopped)
      end()
    }
  })()
}

function passwordOf(sealer: Sealer, database: Extract<ConfiguredDatabase, { engine: ServerEngine }>): string | null {
  try {
    return openPassword(sealer, database)
  } catch {
    throw new EngineError(
      'unreachable',
      'The password of this database cannot be read: SECRET_KEY is not the one it was stored with. ' +
        'An admin enters the password again, or the operator brings back SECRET_KEY.',
    )
  }
}

/** An organization's DuckDB files stand in a folder of its own, so that none can be named by another's configuration. */
export function databaseFolder(options: { dataDirectory: string; organizationId: string }): string {
  return path.resolve(options.dataDirectory, 'databases', options.organizationId)
}

export function databaseFile(
  options: { dataDirectory: string } & Pick<DuckdbDatabase, 'organizationId' | 'settings'>,
): string {
  return path.join(databaseFolder(options), options.settings.file)
}
