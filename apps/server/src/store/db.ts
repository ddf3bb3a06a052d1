import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { PGlite } from '@electric-sql/pglite'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PGliteDialect,
  PostgresDialect,
  sql,
  type Transaction,
} from 'kysely'
import pg from 'pg'
import type { Clock } from '../ports/clock.ts'
import { makeDeadlines } from '../ports/deadlines.ts'
import type { Log } from '../ports/log.ts'
import { BackgroundDialect } from './background-dialect.ts'
import { type EmbeddedFolder, keepFolder } from './embedded-folder.ts'
import { locks } from './locks.ts'
import { canPrepareThrough } from './pooler.ts'
import { makePostgresClient } from './postgres-client.ts'
import { withoutDeadline } from './prepared.ts'
import type { Schema } from './schema.ts'
import { StoreDialect, type StoreDialectHooks } from './store-dialect.ts'
import { localWakeups, serverWakeups, type StoreSession, type WakeupChannel, type Wakeups } from './wakeups.ts'

/** The service's own state: PostgreSQL, either a server or embedded as PGlite. One dialect, one set of statements. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

export interface Store {
  db: Db
  /** The same database for background work, which never keeps requests waiting for long. */
  backgroundDb: Db
  /** The same database over one connection that is only for claiming deliveries: such a claim never waits for a connection or a plan. */
  claimDb: Db
  /** The same database over two connections that only claim and end query runs, for the same reason. */
  runDb: Db
  /** The same database over connections that no pooler shares: for locks that outlast a transaction. */
  directDb: Db
  /** Identifies this database cluster. A cursor's transaction ids are meaningless in another one. */
  systemIdentifier: string
  wakeups: Wakeups
  /** Runs the work in one process at a time; other processes that share the store wait. Used at first start. */
  oneAtATime<Result>(work: () => Promise<Result>): Promise<Result>
  /** Set if the store is embedded and has a folder. */
  embeddedFolder?: EmbeddedFolder
  /** Set if the store is not embedded. */
  server?: StoreServer
  session?: StoreSession
  close(): Promise<void>
}

/** Where the store's PostgreSQL server is. */
export interface StoreServer {
  /** As DATABASE_URL names it: a host name, an address, or the folder of a Unix socket. */
  host: string
  port: number
  /** The addresses that this process has connected to, the latest last. */
  addresses(): string[]
}

/** The statement timeout, unless a statement is marked `withoutDeadline`. */
const statementTimeoutMs = 60_000
/** Enough for the workers of one process. Further background statements wait for a connection. */
const backgroundConnections = 5
const claimConnections = 1
const runConnections = 2
/** Opening a connection takes 20 ms of CPU time, because the server reads about tables and plans statements again. So a lull keeps it. */
const idleConnectionMs = 60_000
/** Only used at startup. */
const directConnections = 1

/** Opens the store on a PostgreSQL server. */
export async function openPostgres(options: {
  url: string
  /** Leads to the server itself if `url` leads to a pooler of transactions (pooler.ts). */
  directUrl?: string | null
  maxConnections?: number
  clock: Clock
  log: Log
  beforeStatement?: StoreDialectHooks['beforeStatement']
  makePool?: (config: pg.PoolConfig) => pg.Pool
}): Promise<Store> {
  const directUrl = options.directUrl ?? options.url
  const isPooled = directUrl !== options.url
  const deadlines = makeDeadlines({ clock: options.clock, afterMs: statementTimeoutMs })
  const Client = makePostgresClient({ deadlines, canPrepare: !isPooled || (await canPrepareThrough(options.url)) })
  const addresses = new Set<string>()
  const backends = new Set<number>()
  const server = new pg.Client({ connectionString: directUrl })
  const makePool = options.makePool ?? ((config) => new pg.Pool(config))
  function openPool(max: number, url = options.url) {
    const opened = makePool({
      Client,
      pipeline: true,
      connectionString: url,
      max,
      application_name: 'querypost',
      types: { getTypeParser: typeParser },
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: idleConnectionMs,
    })
    opened.on('error', (error) => options.log.warn({ err: error }, 'idle PostgreSQL connection lost'))
    // If the connection is lost inside a transaction, the next statement fails. Without a listener, the error would end the process.
    opened.on('connect', (client) => {
      client.on('error', () => {})
      recordAddress(addresses, client)
      backends.add(backendOf(client))
    })
    opened.on('remove', (client) => backends.delete(backendOf(client)))
    return opened
  }
  const maxConnections = options.maxConnections ?? 16
  const pool = openPool(maxConnections)
  let wake: Wakeups['wake'] | undefined
  const { beforeStatement } = options
  const hooks = { wake: (channel: WakeupChannel) => wake?.(channel), ...(beforeStatement && { beforeStatement }) }
  const kyselyOn = (each: pg.Pool, { joinsTransactions = false, onCreateConnection = tune } = {}) => {
    const inner = new PostgresDialect({ pool: each, ...(!isPooled && { onCreateConnection }) })
    return new Kysely<Schema>({ dialect: new StoreDialect(inner, { ...hooks, joinsTransactions }) })
  }
  const db = kyselyOn(pool, { joinsTransactions: true })
  // A separate pool, or agents and deliveries could take all connections and make requests wait.
  const backgroundPool = openPool(Math.min(backgroundConnections, maxConnections))
  const backgroundDb = kyselyOn(backgroundPool)
  const claimPool = openPool(claimConnections)
  const claimDb = kyselyOn(claimPool, { onCreateConnection: tuneForClaims })
  const runPool = openPool(Math.min(runConnections, maxConnections))
  const runDb = kyselyOn(runPool, { onCreateConnection: tuneForClaims })
  const directPool = isPooled ? openPool(directConnections, directUrl) : pool
  const directDb = isPooled ? kyselyOn(directPool) : db
  async function closePools() {
    await Promise.all([db, backgroundDb, claimDb, runDb, directDb].map((each) => each.destroy()))
    // Kysely does not end a pool that was never used, and it could still open connections.
    for (const each of [pool, backgroundPool, claimPool, runPool, directPool]) if (!each.ending) await each.end()
  }
  const { systemIdentifier, wakeups } = await reach().catch(async (error: unknown) => {
    await closePools()
    throw error
  })
  async function reach() {
    const wakeups = await serverWakeups({ ...options, url: directUrl, pool, isOwnBackend: (processId) => backends.has(processId) })
    return { systemIdentifier: await readSystemIdentifier(db), wakeups }
  }
  wake = (channel) => wakeups.wake(channel)
  return {
    db,
    backgroundDb,
    claimDb,
    runDb,
    directDb,
    systemIdentifier,
    wakeups,
    session: wakeups.session,
    server: { host: server.host, port: server.port, addresses: () => [...addresses] },
    oneAtATime: (work) =>
      directDb.connection().execute(async (connection) => {
        await sql`${withoutDeadline} select pg_advisory_lock(${sql.lit(locks.firstStart)})`.execute(connection)
        try {
          return await work()
        } finally {
          await sql`select pg_advisory_unlock(${sql.lit(locks.firstStart)})`.execute(connection)
        }
      }),
    async close() {
      await wakeups.close()
      await closePools()
    },
  }
}

/** More addresses than a server has at a time, even with failovers. The oldest is dropped. */
const addressesMax = 16

function recordAddress(addresses: Set<string>, client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { remoteAddress?: string } } }
  const address = connection.stream.remoteAddress
  // A Unix socket has no address.
  if (address === undefined) return
  addresses.delete(address)
  addresses.add(address)
  if (addresses.size > addressesMax) addresses.delete(addresses.values().next().value!)
}

/** The server process of a connection. Through a pooler it is a number that no process has. */
const backendOf = (client: pg.PoolClient): number => (client as unknown as { processID: number }).processID

export interface EmbeddedPlace {
  folder: string
  /** Called if the folder does not exist yet. */
  onFirstStart?(): void
  /** Creates a new store faster than PostgreSQL does (store-image.ts). False if it cannot. */
  unpackImage?(target: string): Promise<boolean>
}

/** Opens the embedded PostgreSQL on a folder, or uses an instance that already runs (tests). It has a single connection. */
export async function openEmbedded(
  options: EmbeddedPlace | { pglite: PGlite; beforeStatement?: StoreDialectHooks['beforeStatement'] },
): Promise<Store> {
  const pglite = 'pglite' in options ? options.pglite : await openFolder(options)
  const wakeups = localWakeups()
  const beforeStatement = 'pglite' in options ? options.beforeStatement : undefined
  const hooks = { wake: (channel: WakeupChannel) => wakeups.wake(channel), ...(beforeStatement && { beforeStatement }) }
  const db = new Kysely<Schema>({
    dialect: new StoreDialect(new PGliteDialect({ pglite, onCreateConnection: tune }), { ...hooks, joinsTransactions: true }),
  })
  const backgroundDb = new Kysely<Schema>({ dialect: new StoreDialect(new BackgroundDialect({ pglite }), hooks) })
  return {
    db,
    backgroundDb,
    claimDb: backgroundDb,
    runDb: backgroundDb,
    directDb: db,
    systemIdentifier: await readSystemIdentifier(db),
    wakeups,
    // Its folder has only one process, so there is nothing to wait for.
    oneAtATime: (work) => work(),
    ...('folder' in options && { embeddedFolder: keepFolder({ pglite, folder: options.folder }) }),
    async close() {
      await db.destroy()
      await backgroundDb.destroy()
    },
  }
}

/**
 * An interrupted first start would leave a folder that PostgreSQL cannot open, so the folder is created under another name and
 * renamed when it is complete.
 */
async function openFolder(options: EmbeddedPlace): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite')
  if (!existsSync(options.folder)) {
    options.onFirstStart?.()
    const unfinished = `${options.folder}.unfinished`
    await rm(unfinished, { recursive: true, force: true })
    if (!(await options.unpackImage?.(unfinished))) await (await PGlite.create(unfinished)).close()
    await rename(unfinished, options.folder)
  }
  return PGlite.create(options.folder)
}

/**
 * Random access costs about as much as sequential reads, because the data is cached or on an SSD. With the default of 4, a planner
 * without statistics (the embedded database never collects any on its own) sorts a whole list to show one page of it.
 *
 * Compiling a statement takes longer than running it: of the 19 ms for the tags of a large organization, 16 were for that.
 */
export async function tune(connection: DatabaseConnection): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(`select set_config('random_page_cost', '1.1', false), set_config('jit', 'off', false)`))
}

/**
 * PostgreSQL plans the first five executions of a prepared statement for their values, and a claim takes several times as long with its
 * plan as without. The plan that it keeps in the end does not depend on the values, so it may as well begin with that one.
 */
async function tuneForClaims(connection: DatabaseConnection): Promise<void> {
  await tune(connection)
  await connection.executeQuery(CompiledQuery.raw('set plan_cache_mode = force_generic_plan'))
}

async function readSystemIdentifier(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`.execute(db)
  return rows[0]!.id
}

/** Parses 64-bit integers as numbers, as PGlite does. No column of the store exceeds 2^53. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8 && format !== 'binary') return Number
  return pg.types.getTypeParser(oid, format)
}
