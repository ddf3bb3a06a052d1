/**
 * A *session* is one connection to the server, in the state that every statement starts with: UTC, UTF-8, read-only.
 * After a statement it is *cleaned* (its variables and locks are removed) or, if that fails, closed.
 */
import { connect, type Socket } from 'node:net'
import type { Connection, SslOptions } from 'mysql2'
import { abortAfter } from '../../ports/clock.ts'
import { EngineError, stoppedBeforeStart } from '../engine.ts'
import { dialLimitMs } from '../server-failures.ts'
import type { ServerOptions } from '../server-options.ts'
import type { ServerPlace, ServerSettings } from '../../model/server-settings.ts'
import { queryRows } from './query-rows.ts'
import { dialFailure, isFinal } from './mysql-failure.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'

export interface Session {
  readonly connection: Connection
  readonly facts: ServerFacts
  readonly at: { place: ServerPlace; address: string }
  /** The server's id of this connection. */
  readonly threadId: number
  /** Whether it was idle before, and so may have died unnoticed. */
  wasIdle: boolean
  isAlive(): boolean
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>
  clean(): Promise<void>
  /** Closes the connection cleanly. */
  close(): void
  /** Closes the socket at once, whatever is going on. */
  destroy(): void
}

const keepAliveMs = 30_000

/**
 * Capabilities that the driver enables by default and that are unwanted here: letting the server request files (LOCAL_FILES),
 * results of procedures, and spaces after function names, which would change how statements are parsed.
 */
const unwantedFlags = ['-LOCAL_FILES', '-MULTI_RESULTS', '-IGNORE_SPACE', '-FOUND_ROWS', '-ODBC']

/** Connects to the first place that accepts the connection. */
export async function openSession(options: ServerOptions, signal: AbortSignal): Promise<Session> {
  const { settings } = options
  let failure: unknown
  for (const place of [settings, ...settings.otherHosts]) {
    try {
      return await withinLimit({ options, signal }, async (limited) => {
        const addresses = await options.addressesOf(place, limited)
        return await dialFirst(addresses, { place, options, signal: limited })
      })
    } catch (error) {
      if (signal.aborted) throw stoppedBeforeStart()
      if (isFinal(error)) throw error
      failure ??= error
    }
  }
  throw failure
}

/** Opens another connection to the same server. The address was allowed for the first session, so it is not resolved again. */
export async function openBeside(session: Session, options: ServerOptions): Promise<Session> {
  const { place, address } = session.at
  const signal = new AbortController().signal
  const other = await withinLimit({ options, signal }, (limited) => dial({ address, place, options, signal: limited }))
  if (other.facts.identity === session.facts.identity) return other
  other.close()
  throw new EngineError('unreachable', `${place.host} is several servers, and this connection reached a different one.`)
}

interface SessionRequest {
  place: ServerPlace
  options: ServerOptions
  signal: AbortSignal
}

async function withinLimit(
  { options, signal }: Pick<SessionRequest, 'options' | 'signal'>,
  open: (limited: AbortSignal) => Promise<Session>,
): Promise<Session> {
  const limit = abortAfter(options.clock, dialLimitMs)
  try {
    return await open(AbortSignal.any([signal, limit.signal]))
  } catch (error) {
    throw dialFailure(error, { isTooSlow: limit.signal.aborted })
  } finally {
    limit.cancel()
  }
}

async function dialFirst(addresses: string[], request: SessionRequest): Promise<Session> {
  let failure: unknown
  for (const address of addresses) {
    try {
      return await dial({ ...request, address })
    } catch (error) {
      failure = dialFailure(error, { isTooSlow: false })
      if (request.signal.aborted || isFinal(failure)) break
    }
  }
  throw failure
}

async function dial({ address, place, options, signal }: SessionRequest & { address: string }): Promise<Session> {
  const { settings, password } = options
  // Loaded with the first connection: most services have no MySQL database and would start a tenth of a second later.
  const { createConnection } = await import('mysql2')
  signal.throwIfAborted()
  const socket = connect({
    host: address,
    port: place.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const hangUp = () => socket.destroy()
  signal.addEventListener('abort', hangUp, { once: true })
  try {
    const connection = createConnection({
      stream: withHostName(socket, place.host),
      // Only for TLS: the socket already connects to the address.
      host: place.host,
      port: place.port,
      user: settings.user,
      ...(password === null ? {} : { password }),
      ...(settings.database === '' ? {} : { database: settings.database }),
      ...(settings.tls === 'off' ? {} : { ssl: tlsOptions(settings) }),
      flags: unwantedFlags,
      // `dialLimitMs` limits connecting instead.
      connectTimeout: 0,
      connectAttributes: { program_name: 'querypost' },
      multipleStatements: false,
      // Never compile code from column names that a server sends.
      disableEval: true,
    })
    // Errors during a statement are reported to the statement. Errors in between show up in `closed`.
    connection.on('error', hangUp)
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))
    const facts = await readServerFacts(connection)
    await queryRows(connection, facts.prepareSession)
    return sessionOf({ connection, socket, closed, facts, at: { place, address } })
  } catch (error) {
    hangUp()
    throw error
  } finally {
    signal.removeEventListener('abort', hangUp)
  }
}

function sessionOf(
  { connection, socket, ...rest }: Pick<Session, 'connection' | 'facts' | 'closed' | 'at'> & { socket: Socket },
): Session {
  return {
    ...rest,
    connection,
    threadId: connection.threadId,
    wasIdle: false,
    isAlive: () => !socket.destroyed && !socket.readableEnded,
    async clean() {
      await new Promise<void>((resolve, reject) => connection.reset((error) => (error ? reject(error) : resolve())))
      await queryRows(connection, rest.facts.prepareSession)
    },
    close() {
      connection.end(() => socket.destroySoon())
    },
    destroy: () => socket.destroy(),
  }
}

/**
 * If the host is an address, the driver leaves the server name to Node's TLS, which reads it from the socket. A socket that
 * was opened to an address has no name, so the certificate would be compared with "localhost".
 */
function withHostName(socket: Socket, host: string): Socket {
  return Object.assign(socket, { _host: host })
}

/** One object per engine's settings, because the driver caches its TLS state on it. */
const tlsOptionsBySettings = new WeakMap<ServerSettings, SslOptions>()

function tlsOptions(settings: ServerSettings): SslOptions {
  const known = tlsOptionsBySettings.get(settings)
  if (known) return known
  const isVerified = settings.tls === 'verified'
  const options: SslOptions = {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: isVerified,
    verifyIdentity: isVerified,
    ...(settings.certificateAuthority === null ? {} : { ca: settings.certificateAuthority }),
  }
  tlsOptionsBySettings.set(settings, options)
  return options
}
