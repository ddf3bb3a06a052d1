/**
 * Opens connections. `pg` does the one-time work: TLS and authentication. After that, this engine reads the socket itself,
 * because `pg` would create a string and an object for every value: a million rows of five columns take it 2.0 s of CPU
 * time, and `postgres-rows.ts` 0.5 s including the JSON.
 */
import { isIP, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { abortAfter } from '../../ports/clock.ts'
import { EngineError, stoppedBeforeStart } from '../engine.ts'
import { dialLimitMs, networkFailure, noAnswer } from '../server-failures.ts'
import type { ServerOptions } from '../server-options.ts'
import type { ServerPlace } from '../../model/server-settings.ts'

/** An open connection, where it was made, and the keys to refer to it from another connection. */
export interface DialedConnection {
  socket: Socket
  place: DialPlace
  processId: number
  secretKey: number
}

export interface DialPlace {
  address: string
  port: number
  ssl: ConnectionOptions | false
}

/** The parts of `pg`'s client that its types omit. */
interface ClientParts {
  connection: { stream: Socket }
  processID: number
  secretKey: number
}

/** Connects to the first place that accepts the connection. If none does, throws the error of the first. */
export async function dial(options: ServerOptions, signal: AbortSignal): Promise<DialedConnection> {
  const { settings } = options
  let firstError: unknown
  for (const server of [settings, ...settings.otherHosts]) {
    if (signal.aborted) break
    try {
      return await dialServer(options, server, signal)
    } catch (error) {
      firstError ??= error
      if (error instanceof AccessDenied) break
    }
  }
  throw signal.aborted ? stoppedBeforeStart() : firstError
}

/** The server denied access. Another server of the same database would too. */
class AccessDenied extends EngineError {}

async function dialServer(options: ServerOptions, server: ServerPlace, signal: AbortSignal): Promise<DialedConnection> {
  const ssl = tlsOptions(options, server.host)
  let firstError: unknown
  for (const address of await options.addressesOf(server, signal)) {
    try {
      return await dialPlace(options, { address, port: server.port, ssl }, signal)
    } catch (error) {
      if (signal.aborted || error instanceof AccessDenied) throw error
      firstError ??= error
    }
  }
  throw firstError ?? new EngineError('unreachable', 'The host of the database server has no address.')
}

/** The host name only serves to check the certificate. The connection goes to the allowed address. */
function tlsOptions({ settings }: ServerOptions, host: string): ConnectionOptions | false {
  if (settings.tls === 'off') return false
  return {
    rejectUnauthorized: settings.tls === 'verified',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(settings.certificateAuthority === null ? {} : { ca: settings.certificateAuthority }),
  }
}

export async function dialPlace(options: ServerOptions, place: DialPlace, signal: AbortSignal): Promise<DialedConnection> {
  const { settings, password, clock } = options
  const client = new pg.Client({
    host: place.address,
    port: place.port,
    user: settings.user,
    database: settings.database,
    // A function, so that `pg` does not look for a password in the environment or in files.
    password: () => password ?? '',
    ssl: place.ssl,
    application_name: 'querypost',
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  })
  const parts = client as unknown as ClientParts
  // Once connected, a lost connection is noticed by its reader.
  client.on('error', () => {})
  const limit = abortAfter(clock, dialLimitMs)
  const giveUp = () => parts.connection.stream.destroy()
  signal.addEventListener('abort', giveUp, { once: true })
  limit.signal.addEventListener('abort', giveUp, { once: true })
  try {
    if (signal.aborted) giveUp()
    await client.connect()
    const socket = parts.connection.stream
    socket.pause()
    socket.removeAllListeners('data')
    return { socket, place, processId: parts.processID, secretKey: parts.secretKey }
  } catch (error) {
    giveUp()
    if (limit.signal.aborted) throw new EngineError('unreachable', noAnswer, { cause: error })
    throw dialError(error, password !== null)
  } finally {
    limit.cancel()
    signal.removeEventListener('abort', giveUp)
  }
}

/** An SQLSTATE code from the server: five digits or capital letters. */
const sqlState = /^[0-9A-Z]{5}$/

function dialError(cause: unknown, hasPassword: boolean): EngineError {
  const { code = '', message } = cause as { code?: string; message: string }
  const unreachable = (reason: string) => new EngineError('unreachable', reason, { cause })
  const accessDenied = (reason: string) => new AccessDenied('unreachable', reason, { cause })
  const known = networkFailure(cause)
  if (known !== undefined) return unreachable(known)
  // The server's message contains the service's own address.
  const reason = message.replaceAll(/host "[^"]*"/g, 'this host')
  if (code.startsWith('28')) return accessDenied(`${reason}. Check the user and the password.`)
  if (code === '3D000') return accessDenied(`${reason}. Check the name of the database.`)
  if (sqlState.test(code)) return unreachable(`The database server does not accept connections: ${reason}.`)
  if (/SASL|password/i.test(message)) {
    return accessDenied(
      hasPassword
        ? 'Password authentication with the database server failed: no common method.'
        : 'The database server requires a password, but none is set.',
    )
  }
  if (message.includes('does not support SSL')) {
    return unreachable('The database server does not support TLS. Enable it there, or turn it off for this database.')
  }
  return unreachable('The database server closed the connection before it was ready.')
}
