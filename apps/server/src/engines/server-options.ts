import type { ServerPlace, ServerSettings, StoreIdentity } from '../model/server-settings.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { EngineError } from './engine.ts'

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
