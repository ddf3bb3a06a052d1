import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Mail } from '../ports/mail.ts'
import type { GuardedFetch } from '../ports/network/guarded-fetch.ts'
import type { Network } from '../ports/network/network.ts'
import type { OidcProvider } from '../ports/oidc.ts'
import type { Random } from '../ports/random.ts'
import type { KeyedSemaphore } from '../ports/semaphore.ts'
import type { RowComparer } from '../engines/duckdb/compare/row-comparer.ts'
import type { ParquetWriter } from '../engines/duckdb/parquet/writer.ts'
import type { ArchiveBytes } from '../results/archive/archive-bytes.ts'
import type { ResultStore } from '../results/result-store.ts'
import type { Db } from '../store/db.ts'
import type { FindMember } from '../store/people/find-member.ts'
import type { FindQuery } from '../store/queries/queries-table.ts'
import type { FindReference } from '../store/references/references-table.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { KeyUseRecorder } from './audit/key-use-recorder.ts'
import type { ChannelRegistry } from './channels/channel-registry.ts'
import type { Engines } from './databases/engines.ts'
import type { ImportLimits } from './databases/import-limits.ts'
import type { CursorCodec } from './pagination/cursor.ts'
import type { ListCursorCodec } from './pagination/list-cursor.ts'
import type { PendingJobs } from './people/pending-jobs.ts'
import type { KnownDevices } from './people/known-devices.ts'
import type { LastUsedRecorder } from './people/last-used.ts'
import type { PasswordDeps } from './people/passwords.ts'
import type { SignInThrottle } from './people/sign-in-throttle.ts'
import type { UseRecorder } from '../work/use-recorder.ts'
import type { ReportLinks } from './report-links.ts'
import type { Retention } from './retention.ts'
import type { RunEnds } from './runs/run-ends.ts'
import type { InputFiles } from './saved-queries/input-files.ts'
import type { Sealer } from './sealing.ts'
import type { Throttle } from './throttle.ts'
import type { TokenBucket } from './token-bucket.ts'
import type { AddressRules } from './webhooks/addresses/endpoint-addresses.ts'
import type { ListeningSecrets } from './webhooks/listening/listening-secret.ts'
import type { PositionCodec } from './webhooks/listening/position.ts'

/**
 * The dependencies of routes and workers, by area. Each route and worker gets its area's services; a domain function takes only what
 * it uses.
 */
export interface BaseServices {
  clock: Clock
  random: Random
  log: Log
  db: Db
  wakeups: Wakeups
  /** Identifies the database cluster; a snapshot is meaningless in any other cluster. */
  systemIdentifier: string
  findMember: FindMember
  sealer: Sealer
  /** For the lists shown by the pages. */
  listCursors: ListCursorCodec
  baseUrl: string
}

export interface PeopleServices extends BaseServices, PasswordDeps {
  lastUsed: LastUsedRecorder
  /** When sessions were last seen. */
  lastSeen: UseRecorder
  throttle: SignInThrottle
  knownDevices: KnownDevices
  pendingJobs: PendingJobs
  /** Null if the operator has not set up a mail server. */
  mail: Mail | null
  /** Null if the operator has not set one up. */
  oidc: OidcProvider | null
}

export interface AuditServices extends BaseServices {
  /** Records the use of API keys. */
  keyUse: KeyUseRecorder
}

/** Queries, references, runs and their results. */
export interface QueryServices extends BaseServices {
  /** For the published lists. */
  cursors: CursorCodec
  findQuery: FindQuery
  findReference: FindReference
  /** Waits for runs to end. */
  runEnds: RunEnds
  engines: Engines
  results: ResultStore
  /** The bytes of kept results. */
  archive: ArchiveBytes
  resultLifetimeMs: number
  parquet: ParquetWriter
  /** Results that queries read with `ref(…)`. */
  inputFiles: InputFiles
  rowComparer: RowComparer
  dataDirectory: string
}

export interface DatabaseServices extends BaseServices {
  engines: Engines
  results: ResultStore
  resultLifetimeMs: number
  /** For connections to places chosen by people. */
  connectionThrottle: Throttle
  /** For imports into DuckDB databases: one at a time per file. */
  importTurns: KeyedSemaphore
  importLimits: ImportLimits
  dataDirectory: string
}

export interface WebhookServices extends BaseServices {
  network: Network
  addressRules: AddressRules
  logCursors: ListCursorCodec
  urlChecks: Throttle
  eventPositions: PositionCodec
  listeningSecrets: ListeningSecrets
}

/** Automations, chats, and the agents that write them and read data on behalf of people. */
export interface AgentServices extends QueryServices {
  /** For requests to models and data connectors. */
  agentFetch: GuardedFetch
  connectionThrottle: Throttle
}

/** Reports of automations, and the channels they are sent to. */
export interface ReportServices extends AgentServices {
  channels: ChannelRegistry
  reportLinks: ReportLinks
  /** How fast a report, and a process, sends messages. */
  reportPace: TokenBucket
  /** Slack's Web API; ends with a slash. */
  slackApiUrl: string
  /** For requests to Slack. */
  guardedFetch: GuardedFetch
  /** Questions from Slack, by channel. */
  slackQuestionThrottle: Throttle
}

/** How long finished things are kept. */
export interface RetentionServices {
  /** Records of the audit log. */
  auditLogKeptMs: number
  /** Unsaved queries, runs and chats. */
  retention: Retention
}
