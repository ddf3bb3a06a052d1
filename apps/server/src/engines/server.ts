import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { EngineError } from './engine.ts'

/** Where a server listens. */
export interface ServerPlace {
  host: string
  port: number
}

/** How a database server is reached. What is secret stands apart, so that the rest can be shown. */
export interface ServerSettings extends ServerPlace {
  /** Where the same data is to be had; tried in order when the places before cannot be reached. */
  otherHosts: ServerPlace[]
  database: string
  user: string
  tls: TlsMode
  /** PEM: who signs the server's certificate; null: those whom Node trusts. */
  certificateAuthority: string | null
}

/** `encrypted`: with whoever answers. `verified`: the certificate must be the host's. */
export const tlsModes = ['off', 'encrypted', 'verified'] as const
export type TlsMode = (typeof tlsModes)[number]

/** What an engine on a server is opened with. Nothing is dialled before the first statement. */
export interface ServerOptions {
  settings: ServerSettings
  password: string | null
  /**
   * The addresses that a place's host leads to and that may be dialled at its port: asked for each connection anew, which then goes to
   * one of them and nowhere else. Throws `EngineError` (`unreachable`) where there is none.
   */
  addressesOf(place: ServerPlace, signal: AbortSignal): Promise<string[]>
  /** The service's own database on a PostgreSQL server, which no engine may open. Null where there is none. */
  ownStore?(): Promise<StoreIdentity | null>
  /** Statements beyond that wait for one to end. */
  maxConnections?: number
  clock: Clock
  log: Log
}

/**
 * What tells the service's own database from every other, whichever way a connection took. Every user of a database can read these
 * from PostgreSQL's catalogs, unless the server's administrator has revoked it.
 */
export interface StoreIdentity {
  /** Of the cluster. Physical replicas and copies have the same. */
  systemIdentifier: string
  databaseOid: string
  /** Of the table `schema_migrations`; null before the first migration. */
  markerOid: string | null
}

/** The service does not connect there, whether or not a server would answer. */
export class ServerRefused extends EngineError {
  readonly setting: 'host' | 'database'

  constructor(message: string, setting: ServerRefused['setting']) {
    super('unreachable', message)
    this.setting = setting
  }
}

/** The refusal behind an engine's error, which may wrap it in its own. */
export function findRefusal(error: unknown): ServerRefused | undefined {
  if (error instanceof ServerRefused) return error
  return error instanceof Error ? findRefusal(error.cause) : undefined
}
