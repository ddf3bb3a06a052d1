import { mkdir } from 'node:fs/promises'
import { makeConnectionThrottle } from './domain/databases/connection-throttle.ts'
import type { DatabaseAddressRules } from './domain/databases/database-addresses.ts'
import { type Engines, makeEngines } from './domain/databases/engines.ts'
import { guardConnections } from './domain/databases/guard-connections.ts'
import { type ImportLimits, importLimits } from './domain/databases/import-limits.ts'
import { serverEngineOpeners } from './domain/databases/server-engine-openers.ts'
import { noteRefused } from './domain/databases/try-database.ts'
import { type CursorCodec, makeCursorCodec } from './domain/pagination/cursor.ts'
import { type ListCursorCodec, makeListCursorCodec } from './domain/pagination/list-cursor.ts'
import { type Errands, makeErrands } from './domain/people/errands.ts'
import { type KnownDevices, makeKnownDevices } from './domain/people/known-devices.ts'
import { type LastUsedRecorder, makeLastSeenRecorder, makeLastUsedRecorder } from './domain/people/last-used.ts'
import { auditLogDaysDefault } from './domain/audit/sweep-audit-log.ts'
import { type KeyUseRecorder, makeKeyUseRecorder } from './domain/audit/key-use-recorder.ts'
import { type Retention, retentionDaysDefault, retentionOf } from './domain/retention.ts'
import { makeSignInThrottle, type SignInThrottle } from './domain/people/sign-in-throttle.ts'
import type { UseRecorder } from './domain/people/use-recorder.ts'
import { makeRunEnds, type RunEnds } from './domain/runs/run-ends.ts'
import { makeSealer, type Sealer } from './domain/sealing.ts'
import type { AddressRules } from './domain/webhooks/addresses/policy.ts'
import { makeLogCursorCodec } from './domain/webhooks/deliveries/log-cursor.ts'
import { type ListeningSecrets, makeListeningSecrets } from './domain/webhooks/listening/listening-secret.ts'
import { makePositionCodec, type PositionCodec } from './domain/webhooks/listening/position.ts'
import type { Throttle } from './domain/throttle.ts'
import { makeUrlCheckThrottle } from './domain/webhooks/endpoints/url-check-throttle.ts'
import { makeParquetWriter, type ParquetWriter } from './engines/duckdb/parquet/writer.ts'
import type { Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Mail } from './ports/mail.ts'
import type { GuardedFetch } from './ports/network/guarded-fetch.ts'
import type { Network } from './ports/network/network.ts'
import { readOwnAddresses } from './ports/network/own-addresses.ts'
import type { OidcProvider } from './ports/oidc.ts'
import type { Random } from './ports/random.ts'
import { type KeyedSemaphore, makeKeyedSemaphore } from './ports/semaphore.ts'
import { openResults } from './open-results.ts'
import type { ResultStore } from './results/result-store.ts'
import type { ResultsSetting } from './results/results-setting.ts'
import type { Db, Store } from './store/db.ts'
import type { Wakeups } from './store/wakeups.ts'
import { type FindMember, makeFindMember } from './store/people/find-member.ts'
import { type FindQuery, makeFindQuery } from './store/queries/queries.ts'
import { type FindReference, makeFindReference } from './store/references/references.ts'

/** Everything that routes and workers are built from. Each asks its domain functions for the least of it. */
export interface Services {
  clock: Clock
  random: Random
  log: Log
  db: Db
  /** For those who work in the background. */
  backgroundDb: Db
  wakeups: Wakeups
  systemIdentifier: string
  cursors: CursorCodec
  findMember: FindMember
  findQuery: FindQuery
  findReference: FindReference
  engines: Engines
  /** Of connections to places that people choose. */
  connectionThrottle: Throttle
  /** Of files into DuckDB databases: one at a time into each file. */
  importTurns: KeyedSemaphore
  importLimits: ImportLimits
  results: ResultStore
  parquet: ParquetWriter
  /** Waits for runs to end. */
  runEnds: RunEnds
  lastUsed: LastUsedRecorder
  /** How API keys are used. */
  keyUse: KeyUseRecorder
  /** When sessions were last seen. */
  lastSeen: UseRecorder
  throttle: SignInThrottle
  knownDevices: KnownDevices
  errands: Errands
  sealer: Sealer
  network: Network
  addressRules: AddressRules
  /** To models and data connectors. */
  agentFetch: GuardedFetch
  /** Null where the operator has set up no mail server. */
  mail: Mail | null
  /** Null where the operator has set up none. */
  oidc: OidcProvider | null
  logCursors: ListCursorCodec
  urlChecks: Throttle
  eventPositions: PositionCodec
  listeningSecrets: ListeningSecrets
  listCursors: ListCursorCodec
  baseUrl: string
  dataDirectory: string
  resultLifetimeMs: number
  /** How long records of the audit log are kept. */
  auditLogKeptMs: number
  /** How long unsaved queries, runs and chats are kept. */
  retention: Retention
}

export async function makeServices(options: {
  clock: Clock
  random: Random
  log: Log
  network: Network
  agentFetch: GuardedFetch
  mail: Mail | null
  oidc?: OidcProvider | null
  store: Store
  secretKey: Uint8Array
  baseUrl: string
  dataDirectory: string
  /** Without it, files of the data directory. */
  results?: ResultsSetting
  resultTtlHours: number
  auditLogDays?: number
  unsavedQueryDays?: number
  runDays?: number
  chatDays?: number
  webhookAllowedNetworks?: AddressRules['allowedNetworks']
  /** How the names of database servers are resolved; without it, as deliveries' names are. */
  databaseNames?: Pick<Network, 'resolve'>
  databaseAllowedNetworks?: DatabaseAddressRules['allowedNetworks']
  /** The addresses of this machine; without it, as the system tells them. */
  readOwnAddresses?: () => string[]
  databaseMaxConnections?: number
}): Promise<Services> {
  const { clock, random, log, network, store, secretKey, dataDirectory } = options
  const { db, backgroundDb, wakeups, systemIdentifier } = store
  const sealer = makeSealer({ secretKey, random })
  const errands = makeErrands({ log })
  await mkdir(`${dataDirectory}/temporary`, { recursive: true })
  return {
    clock,
    random,
    log,
    db,
    backgroundDb,
    wakeups,
    systemIdentifier,
    cursors: makeCursorCodec({ secretKey }),
    findMember: makeFindMember({ db }),
    findQuery: makeFindQuery({ db }),
    findReference: makeFindReference({ db }),
    engines: makeEngines({
      clock,
      log,
      sealer,
      dataDirectory,
      ...guardConnections({
        db,
        server: store.server,
        clock,
        names: options.databaseNames ?? network,
        readOwnAddresses: options.readOwnAddresses ?? readOwnAddresses,
        rules: { allowedNetworks: options.databaseAllowedNetworks ?? [] },
      }),
      onRefused: (database, error) =>
        errands.start('note that a database is refused', () => noteRefused({ db, clock }, database, error)),
      openers: serverEngineOpeners,
      ...(options.databaseMaxConnections !== undefined && { maxConnections: options.databaseMaxConnections }),
    }),
    connectionThrottle: makeConnectionThrottle({ clock }),
    // Each is a process of its own, with as much memory as a query.
    importTurns: makeKeyedSemaphore({ permits: 2 }),
    importLimits,
    results: await openResults({
      setting: options.results ?? { kind: 'files' },
      folder: `${dataDirectory}/results`,
      store,
      clock,
      random,
      log,
    }),
    parquet: makeParquetWriter({ temporaryDirectory: `${dataDirectory}/temporary` }),
    runEnds: makeRunEnds({ db, clock, log, wakeups }),
    lastUsed: makeLastUsedRecorder({ db, clock, log }),
    keyUse: makeKeyUseRecorder({ db, clock, log }),
    lastSeen: makeLastSeenRecorder({ db, clock, log }),
    throttle: makeSignInThrottle({ db, clock }),
    knownDevices: makeKnownDevices({ secretKey, clock, random }),
    errands,
    sealer,
    network,
    agentFetch: options.agentFetch,
    mail: options.mail,
    oidc: options.oidc ?? null,
    addressRules: { ownUrl: new URL(options.baseUrl), allowedNetworks: options.webhookAllowedNetworks ?? [] },
    logCursors: makeLogCursorCodec({ secretKey }),
    urlChecks: makeUrlCheckThrottle({ clock }),
    eventPositions: makePositionCodec({ secretKey }),
    listeningSecrets: makeListeningSecrets({ secretKey }),
    listCursors: makeListCursorCodec({ secretKey, purpose: 'querypost list cursor v1' }),
    baseUrl: options.baseUrl,
    dataDirectory,
    resultLifetimeMs: options.resultTtlHours * 3600_000,
    auditLogKeptMs: (options.auditLogDays ?? auditLogDaysDefault) * 24 * 3600_000,
    retention: retentionOf({
      unsavedQueryDays: options.unsavedQueryDays ?? retentionDaysDefault.unsavedQueryDays,
      runDays: options.runDays ?? retentionDaysDefault.runDays,
      chatDays: options.chatDays ?? retentionDaysDefault.chatDays,
    }),
  }
}
