import type { ServerPlace, ServerSettings, StoreIdentity } from '../model/server-settings.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { EngineError } from './engine.ts'

/** Options for an engine that connects to a database server. It connects only when the first statement runs. */
export interface ServerOptions {
  settings: ServerSettings
  password: string | null
  /**
   * Resolves a place's host to the addresses it is allowed to connect to. Called for every new connection, which then uses one of
   * these addresses and no other. Throws `EngineError` (`unreachable`) when there is none.
   */
  addressesOf(place: ServerPlace, signal: AbortSignal): Promise<string[]>
  /** Identifies the service's own store, which no engine may open. Null when the store is not on a PostgreSQL server. */
  ownStore?(): Promise<StoreIdentity | null>
  /** Further statements wait for a running one to finish. */
  maxConnections?: number
  clock: Clock
  log: Log
}

/** The service refuses to connect to this server, whether or not it would answer. */
export class ServerRefused extends EngineError {
  readonly setting: 'host' | 'database'

  constructor(message: string, setting: ServerRefused['setting']) {
    super('unreachable', message)
    this.setting = setting
  }
}

/** The refusal in an engine error's chain of causes, if there is one. */
export function findRefusal(error: unknown): ServerRefused | undefined {
  if (error instanceof ServerRefused) return error
  return error instanceof Error ? findRefusal(error.cause) : undefined
}
