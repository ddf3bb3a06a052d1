import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

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
   * The addresses that a host's name leads to and that may be dialled: asked for each connection anew, which then goes to one of
   * them and nowhere else. Throws `EngineError` (`unreachable`) where there is none.
   */
  addressesOf(host: string, signal: AbortSignal): Promise<string[]>
  /** Statements beyond that wait for one to end. */
  maxConnections?: number
  clock: Clock
  log: Log
}
