import { mkdir } from 'node:fs/promises'
import { findReportReceiver } from '../store/webhooks/find-report-receiver.ts'
import { makeAttempts } from '../domain/webhooks/sending/attempt.ts'
import { slackApiUrlDefault } from '../domain/channels/slack/slack-api.ts'
import { makeChannelRegistry } from '../domain/channels/make-channel-registry.ts'
import { makeConnectionThrottle } from '../domain/databases/connection-throttle.ts'
import type { DatabaseAddressRules } from '../domain/databases/database-addresses.ts'
import { makeEngines } from '../domain/databases/engines.ts'
import { guardConnections } from '../domain/databases/guard-connections.ts'
import { importLimits } from '../domain/databases/import-limits.ts'
import { fileEngineOpeners, serverEngineOpeners } from '../engines/registry/openers.ts'
import { makeAnswerFilter, noteAnswered } from '../domain/databases/note-answers.ts'
import { noteRefused } from '../domain/databases/try-database.ts'
import { makeCursorCodec } from '../domain/pagination/cursor.ts'
import { makeListCursorCodec } from '../domain/pagination/list-cursor.ts'
import { makePendingJobs } from '../domain/people/pending-jobs.ts'
import { makeKnownDevices } from '../domain/people/known-devices.ts'
import { makeLastSeenRecorder, makeLastUsedRecorder } from '../domain/people/last-used.ts'
import type { PasswordCost } from '../domain/people/passwords.ts'
import { auditLogDaysDefault } from '../domain/audit/sweep-audit-log.ts'
import { makeKeyUseRecorder } from '../domain/audit/key-use-recorder.ts'
import { makeReportLinks } from '../domain/report-links.ts'
import { reportMessagesPerSecondDefault, reportPaceOf } from '../domain/reports/report-pace.ts'
import { retentionDaysDefault, retentionOf } from '../domain/retention.ts'
import { makeSignInThrottle } from '../domain/people/sign-in-throttle.ts'
import { makeRunEnds } from '../domain/runs/run-ends.ts'
import { makeInputFiles } from '../domain/saved-queries/input-files.ts'
import { makeSealer } from '../domain/sealing.ts'
import { makeSlackQuestionThrottle } from '../domain/slack-questions/question-throttle.ts'
import type {
  AgentServices,
  AuditServices,
  DatabaseServices,
  PeopleServices,
  ReportServices,
  RetentionServices,
  WebhookServices,
} from '../domain/services.ts'
import type { AddressRules } from '../domain/webhooks/addresses/endpoint-addresses.ts'
import { makeLogCursorCodec } from '../domain/webhooks/deliveries/log-cursor.ts'
import { makeListeningSecrets } from '../domain/webhooks/listening/listening-secret.ts'
import { makePositionCodec } from '../domain/webhooks/listening/position.ts'
import { makeUrlCheckThrottle } from '../domain/webhooks/endpoints/url-check-throttle.ts'
import { makeRowComparer } from '../engines/duckdb/compare/row-comparer.ts'
import { makeParquetWriter } from '../engines/duckdb/parquet/writer.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Mail } from '../ports/mail.ts'
import type { GuardedFetch } from '../ports/network/guarded-fetch.ts'
import type { Network } from '../ports/network/network.ts'
import { makeKeyedSemaphore } from '../ports/semaphore.ts'
import { readOwnAddresses } from '../ports/network/own-addresses.ts'
import type { OidcProvider } from '../ports/oidc.ts'
import type { Random } from '../ports/random.ts'
import { openResults } from './open-results.ts'
import type { ResultsSetting } from '../results/results-setting.ts'
import type { Db, Store } from '../store/db.ts'
import { makeFindMember } from '../store/people/find-member.ts'
import { makeFindQuery } from '../store/queries/queries-table.ts'
import { makeFindReference } from '../store/references/references-table.ts'

/** The services of all areas. */
export interface Services
  extends PeopleServices, AuditServices, DatabaseServices, AgentServices, WebhookServices, ReportServices, RetentionServices {
  /** The connections for background work. */
  backgroundDb: Db
  /** The connection for claiming deliveries. */
  claimDb: Db
  /** The connections for claiming and ending query runs. */
  runDb: Db
  /** Ends the processes of engines, and those that compare results and write Parquet files. */
  closeProcesses(): Promise<void>
}

export async function makeServices(options: {
  clock: Clock
  /** Measures how long processes are idle: those of engines on files, and those that compare results and write Parquet files. Default: `clock`. */
  engineProcessClock?: Clock
  random: Random
  log: Log
  network: Network
  agentFetch: GuardedFetch
  slackApiUrl?: string
  mail: Mail | null
  oidc?: OidcProvider | null
  store: Store
  secretKey: Uint8Array
  passwordCost?: PasswordCost
  baseUrl: string
  dataDirectory: string
  /** Default: files in the data directory. */
  results?: ResultsSetting
  resultTtlHours: number
  auditLogDays?: number
  unsavedQueryDays?: number
  runDays?: number
  chatDays?: number
  alertHistoryDays?: number
  unusedImageDays?: number
  webhookAllowedNetworks?: AddressRules['allowedNetworks']
  /** Resolves the names of database servers. Default: the resolver for deliveries. */
  databaseNames?: Pick<Network, 'resolve'>
  databaseAllowedNetworks?: DatabaseAddressRules['allowedNetworks']
  /** The addresses of this machine. Default: as reported by the operating system. */
  readOwnAddresses?: () => string[]
  databaseMaxConnections?: number
  reportMessagesPerSecond?: number
}): Promise<Services> {
  const { clock, random, log, network, store, secretKey, dataDirectory } = options
  const { db, backgroundDb, claimDb, runDb, wakeups, systemIdentifier } = store
  const sealer = makeSealer({ secretKey, random })
  const pendingJobs = makePendingJobs({ log })
  const isAnswerNoted = makeAnswerFilter({ clock })
  const temporaryDirectory = `${dataDirectory}/temporary`
  await mkdir(temporaryDirectory, { recursive: true })
  const resultLifetimeMs = options.resultTtlHours * 3600_000
  const { results, archive } = await openResults({
    setting: options.results ?? { kind: 'files' },
    folder: `${dataDirectory}/results`,
    archiveFolder: `${dataDirectory}/archive`,
    store,
    clock,
    random,
    log,
  })
  const addressRules: AddressRules = { ownUrl: new URL(options.baseUrl), allowedNetworks: options.webhookAllowedNetworks ?? [] }
  const slackApiUrl = options.slackApiUrl ?? slackApiUrlDefault
  const processClock = options.engineProcessClock ?? clock
  const engines = makeEngines({
    clock,
    processClock,
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
      pendingJobs.start('recording a rejected database address', () => noteRefused({ db, clock }, database, error)),
    onAnswered(database) {
      if (!isAnswerNoted(database)) return
      pendingJobs.start('recording that a database answered', () => noteAnswered({ db, clock }, database))
    },
    openers: { onFile: fileEngineOpeners, onServer: serverEngineOpeners },
    ...(options.databaseMaxConnections !== undefined && { maxConnections: options.databaseMaxConnections }),
  })
  const parquet = makeParquetWriter({ temporaryDirectory, clock: processClock })
  // Runs that read results of others don't wait for downloads.
  const inputParquet = makeParquetWriter({ temporaryDirectory, clock: processClock })
  const rowComparer = makeRowComparer({ temporaryDirectory, clock: processClock })
  return {
    clock,
    random,
    ...(options.passwordCost && { passwordCost: options.passwordCost }),
    log,
    db,
    backgroundDb,
    claimDb,
    runDb,
    wakeups,
    systemIdentifier,
    cursors: makeCursorCodec({ secretKey }),
    findMember: makeFindMember({ db }),
    findQuery: makeFindQuery({ db }),
    findReference: makeFindReference({ db }),
    engines,
    connectionThrottle: makeConnectionThrottle({ clock }),
    // Each import is a separate process that uses as much memory as a query.
    importTurns: makeKeyedSemaphore({ permits: 2 }),
    importLimits,
    results,
    archive,
    parquet,
    inputFiles: makeInputFiles({ parquet: inputParquet, temporaryDirectory }),
    rowComparer,
    async closeProcesses() {
      await Promise.all([engines, parquet, inputParquet, rowComparer].map((each) => each.close()))
    },
    runEnds: makeRunEnds({ db, clock, log, wakeups }),
    lastUsed: makeLastUsedRecorder({ db, clock, log }),
    keyUse: makeKeyUseRecorder({ db, clock, log }),
    lastSeen: makeLastSeenRecorder({ db, clock, log }),
    throttle: makeSignInThrottle({ db, clock }),
    knownDevices: makeKnownDevices({ secretKey, clock, random }),
    pendingJobs,
    sealer,
    network,
    agentFetch: options.agentFetch,
    mail: options.mail,
    oidc: options.oidc ?? null,
    addressRules,
    logCursors: makeLogCursorCodec({ secretKey }),
    urlChecks: makeUrlCheckThrottle({ clock }),
    eventPositions: makePositionCodec({ secretKey }),
    listeningSecrets: makeListeningSecrets({ secretKey }),
    listCursors: makeListCursorCodec({ secretKey, purpose: 'querypost list cursor v1' }),
    baseUrl: options.baseUrl,
    dataDirectory,
    resultLifetimeMs,
    channels: makeChannelRegistry({
      clock,
      guardedFetch: options.agentFetch,
      slackApiUrl,
      mail: options.mail,
      findReceiver: (key) => findReportReceiver(db, key),
      makeAttempt: makeAttempts({ clock, log, network, sealer, addressRules }),
    }),
    reportLinks: makeReportLinks({ secretKey, baseUrl: options.baseUrl }),
    reportPace: reportPaceOf(options.reportMessagesPerSecond ?? reportMessagesPerSecondDefault),
    slackApiUrl,
    guardedFetch: options.agentFetch,
    slackQuestionThrottle: makeSlackQuestionThrottle({ clock }),
    auditLogKeptMs: (options.auditLogDays ?? auditLogDaysDefault) * 24 * 3600_000,
    retention: retentionOf({
      unsavedQueryDays: options.unsavedQueryDays ?? retentionDaysDefault.unsavedQueryDays,
      runDays: options.runDays ?? retentionDaysDefault.runDays,
      chatDays: options.chatDays ?? retentionDaysDefault.chatDays,
      alertHistoryDays: options.alertHistoryDays ?? retentionDaysDefault.alertHistoryDays,
      unusedImageDays: options.unusedImageDays ?? retentionDaysDefault.unusedImageDays,
    }),
  }
}
