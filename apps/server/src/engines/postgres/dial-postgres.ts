/**
 * Makes connections. `pg` does what is done once: TLS, and whatever kind of proof the server asks for. From then on
 * the socket is ours, since `pg` would make a string and an object of every value: a million rows of five columns cost
 * it 2.0 s of processor time, and `postgres-rows.ts` 0.5 s with the JSON already written.
 */
import { isIP, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { abortAfter } from '../../ports/clock.ts'
import { EngineError, stoppedBeforehand } from '../engine.ts'
import { dialLimitMs, networkFailure, noAnswer } from '../server-failures.ts'
import type { ServerOptions } from '../server-options.ts'
import type { ServerPlace } from '../../model/server-settings.ts'

/** Where a connection was made, and the way to speak of it to the server from another one. */
export interface Dialled {
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

/** The part of `pg`'s client that its types do not tell. */
interface ClientParts {
  connection: { stream: Socket }
  processID: number
  secretKey: number
}

/** To the first place that takes the connection; where none does, says why the first did not. */
export async function dial(options: ServerOptions, signal: AbortSignal): Promise<Dialled> {
  const { settings } = options
  let firstError: unknown
  for (const server of [settings, ...settings.otherHosts]) {
    if (signal.aborted) break
    try {
      return await dialServer(options, server, signal)
    } catch (error) {
      firstError ??= error
      if (error instanceof Unwelcome) break
    }
  }
  throw signal.aborted ? stoppedBeforehand() : firstError
}

/** The server answered and does not let us in; another of the same would not either. */
class Unwelcome extends EngineError {}

async function dialServer(options: ServerOptions, server: ServerPlace, signal: AbortSignal): Promise<Dialled> {
  const ssl = tlsOptions(options, server.host)
  let firstError: unknown
  for (const address of await options.addressesOf(server, signal)) {
    try {
      return await dialPlace(options, { address, port: server.port, ssl }, signal)
    } catch (error) {
      if (signal.aborted || error instanceof Unwelcome) throw error
      firstError ??= error
    }
  }
  throw firstError ?? new EngineError('unreachable', 'The host of the database server has no address.')
}

/** The name is for the certificate only: what is dialled is the address that was allowed. */
function tlsOptions({ settings }: ServerOptions, host: string): ConnectionOptions | false {
  if (settings.tls === 'off') return false
  return {
    rejectUnauthorized: settings.tls === 'verified',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(settings.certificateAuthority === null ? {} : { ca: settings.certificateAuthority }),
  }
}

export async function dialPlace(options: ServerOptions, place: DialPlace, signal: AbortSignal): Promise<Dialled> {
  const { settings, password, clock } = options
  const client = new pg.Client({
    host: place.address,
    port: place.port,
    user: settings.user,
    database: settings.database,
    // A function, so that no other is looked for in the environment or in files.
    password: () => password ?? '',
    ssl: place.ssl,
    application_name: 'querypost',
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
  })
  const parts = client as unknown as ClientParts
  // Once connected, losing the connection is noticed where it is read.
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

/** Of the server: five digits or capital letters. */
const sqlState = /^[0-9A-Z]{5}$/

function dialError(cause: unknown, hasPassword: boolean): EngineError {
  const { code = '', message } = cause as { code?: string; message: string }
  const unreachable = (words: string) => new EngineError('unreachable', words, { cause })
  const unwelcome = (words: string) => new Unwelcome('unreachable', words, { cause })
  const known = networkFailure(cause)
  if (known !== undefined) return unreachable(known)
  // The server names the address that it sees us at.
  const words = message.replaceAll(/host "[^"]*"/g, 'this host')
  if (code.startsWith('28')) return unwelcome(`${words}. Check the user and the password.`)
  if (code === '3D000') return unwelcome(`${words}. Check the name of the database.`)
  if (sqlState.test(code)) return unreachable(`The database server does not take connections: ${words}.`)
  if (/SASL|password/i.test(message)) {
    return unwelcome(
      hasPassword
        ? 'The database server and this service did not agree on how to prove the password.'
        : 'The database server asks for a password, and none is set.',
    )
  }
  if (message.includes('does not support SSL')) {
    return unreachable('The database server does not speak TLS. Turn it on there, or off for this database.')
  }
  return unreachable('The database server ended the connection before it was ready.')
}
