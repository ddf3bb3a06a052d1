/**
 * The engines of this process.
 *
 * - An *opened* engine belongs to one revision of one database, with its settings and password.
 * - An active statement, test or description is a *use* of it. An engine is never closed while it is in use.
 * - An engine is *retired* when a later revision of its database is requested or the database is deleted: active uses finish, and
 *   after the last one it is closed. Until then it still serves requests for the earlier revision, for example from a worker that
 *   claimed its run just before.
 * - An engine that has been unused for a while is closed, so that idle connections do not stay open; the next use opens it again.
 *   This is also how a process handles a deletion elsewhere. (An engine on a file ends its spare processes itself.)
 *
 * Processes do not notify each other of changes: each request brings the configuration as it is stored.
 */
import path from 'node:path'
import { type Engine, EngineError, type RunRequest } from '../../engines/engine.ts'
import { definitionOf } from '../../engines/registry/definitions.ts'
import type { FileOptions } from '../../engines/file-options.ts'
import type { EngineResult, RowBatch } from '../../model/result.ts'
import { findRefusal, type ServerOptions, type ServerRefused } from '../../engines/server-options.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Sealer } from '../sealing.ts'
import type { ConfiguredDatabase, EngineKind, FileDatabase } from '../../model/database.ts'
import { isOnServer } from './is-on-server.ts'
import { openPassword } from './database-password.ts'

export interface Engines {
  /** The engine of a database with this configuration. It is opened on first use, and callers never close it. */
  engineOf(database: ConfiguredDatabase): Engine
  /** A separate engine for a try, which the caller closes. Throws `EngineError` if the password cannot be decrypted. */
  openSeparate(database: ConfiguredDatabase): Engine
  /** The database was deleted, or (`before`) its earlier revisions are no longer needed. */
  retire(databaseId: string, options?: { before: number }): void
  close(): Promise<void>
}

export interface EnginesDeps {
  clock: Clock
  /** Measures how long the processes of an engine on a file are idle. Default: `clock`. */
  processClock?: Clock
  log: Log
  sealer: Sealer
  dataDirectory: string
  /** Where engines may write temporary files. Defaults to a folder in the data directory. */
  temporaryDirectory?: string
  addressesOf: ServerOptions['addressesOf']
  ownStore: NonNullable<ServerOptions['ownStore']>
  /** Called when a database in use resolves to an address that the service must not connect to. A try reports this in its outcome. */
  onRefused?(database: ConfiguredDatabase, error: ServerRefused): void
  /** How to open an engine, by its kind. */
  openers: {
    onFile: Record<EngineKind, (options: FileOptions) => Engine>
    onServer: Record<EngineKind, (options: ServerOptions) => Engine>
  }
  /** Per database and process. */
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
  /** Aborts when the engine is used again. */
  idling: AbortController | undefined
}

export function makeEngines(deps: EnginesDeps): Engines {
  const { clock, log, idleMs = 5 * 60_000, maxConnections = 4 } = deps
  const openedOf = new Map<string, Opened[]>()
  const closings = new Set<Promise<void>>()

  function open(database: ConfiguredDatabase, connections: number): Engine {
    const { dataDirectory, temporaryDirectory = path.join(dataDirectory, 'temporary') } = deps
    if (!isOnServer(database)) {
      const file = databaseFile({ dataDirectory, ...database })
      return openerOf(deps.openers.onFile, database.engine)({ file, temporaryDirectory, clock: deps.processClock ?? clock, log })
    }
    const { settings } = database
    const password = passwordOf(deps.sealer, database)
    const { addressesOf, ownStore } = deps
    const options = { settings, password, addressesOf, ownStore, maxConnections: connections, clock, log }
    return openerOf(deps.openers.onServer, database.engine)(options)
  }

  function close(databaseId: string, opened: Opened): void {
    const others = openedOf.get(databaseId)!.filter((each) => each !== opened)
    if (others.length > 0) openedOf.set(databaseId, others)
    else openedOf.delete(databaseId)
    opened.idling?.abort()
    const closing = opened.engine
      .close()
      .catch((error: unknown) => log.error({ err: error, databaseId }, 'closing an engine failed'))
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
    openSeparate: (database) => open(database, 1),
    engineOf: (database) => ({
      dialect: database.engine,
      run: (request) => run(database, request),
      test: (signal) => using(database, (engine) => engine.test(signal)),
      describe: (signal) => using(database, (engine) => engine.describe(signal)),
      ...(definitionOf(database.engine).estimatesBytes && {
        estimate: (sql: string, signal: AbortSignal) => using(database, (engine) => engine.estimate!(sql, signal)),
      }),
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

/** A result is in use until its last batch has been read, its reader stops early, or its statement is stopped before the first batch. */
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

function openerOf<Opener>(openers: Record<EngineKind, Opener>, kind: EngineKind): Opener {
  const opener = openers[kind]
  if (opener) return opener
  throw new EngineError('unreachable', `This version of the service has no engine of the kind ${kind}. Update the service.`)
}

function passwordOf(sealer: Sealer, database: Extract<ConfiguredDatabase, { sealedPassword: unknown }>): string | null {
  try {
    return openPassword(sealer, database)
  } catch {
    throw new EngineError(
      'unreachable',
      'The password of this database cannot be decrypted: SECRET_KEY has changed since it was saved. ' +
        'An admin can enter the password again, or the operator can restore SECRET_KEY.',
    )
  }
}

/** Each organization's files are in its own folder, so no configuration can refer to another organization's file. */
export function databaseFolder(options: { dataDirectory: string; organizationId: string }): string {
  return path.resolve(options.dataDirectory, 'databases', options.organizationId)
}

export function databaseFile(
  options: { dataDirectory: string } & Pick<FileDatabase, 'organizationId' | 'settings'>,
): string {
  return path.join(databaseFolder(options), options.settings.file)
}
