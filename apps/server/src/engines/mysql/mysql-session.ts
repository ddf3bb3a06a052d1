/**
 * A *session* is one connection to the server, in the state in which every statement finds it: UTC, UTF-8, read-only.
 * After a statement it is *cleaned* (the variables and locks of that statement are gone) or, if that fails, closed.
 */
import { connect, type Socket } from 'node:net'
import type { Connection, SslOptions } from 'mysql2'
import { abortAfter } from '../../ports/clock.ts'
import { EngineError, stoppedBeforehand } from '../engine.ts'
import { dialLimitMs } from '../server-failures.ts'
import type { ServerOptions } from '../server-options.ts'
import type { ServerPlace, ServerSettings } from '../../model/server-settings.ts'
import { ask } from './ask.ts'
import { dialFailure, isFinal } from './mysql-failure.ts'
import { readServerFacts, type ServerFacts } from './server-facts.ts'

export interface Session {
  readonly connection: Connection
  readonly facts: ServerFacts
  readonly at: { place: ServerPlace; address: string }
  /** By which the server knows it. */
  readonly threadId: number
  /** It has waited for work, and may have died unnoticed meanwhile. */
  wasIdle: boolean
  isAlive(): boolean
  /** Resolves when the connection has gone, whoever ended it. */
  readonly closed: Promise<void>
  clean(): Promise<void>
  /** Says goodbye and hangs up. */
  close(): void
  /** Hangs up in the middle of whatever is going on. */
  destroy(): void
}

const keepAliveMs = 30_000

/**
 * What the driver would ask for by itself and nobody needs here: to be asked for files (LOCAL_FILES), results of
 * procedures, and function names with spaces after them, which would change how statements are read.
 */
const unwantedFlags = ['-LOCAL_FILES', '-MULTI_RESULTS', '-IGNORE_SPACE', '-FOUND_ROWS', '-ODBC']

/** Connects to the first of the places that takes the connection. */
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
      if (signal.aborted) throw stoppedBeforehand()
      if (isFinal(error)) throw error
      failure ??= error
    }
  }
  throw failure
}

/** Another connection to the same server. Its address is not asked for again: that session was allowed to go there. */
export async function openBeside(session: Session, options: ServerOptions): Promise<Session> {
  const { place, address } = session.at
  const signal = new AbortController().signal
  const other = await withinLimit({ options, signal }, (limited) => dial({ address, place, options, signal: limited }))
  if (other.facts.identity === session.facts.identity) return other
  other.close()
  throw new EngineError('unreachable', `${place.host} leads to several servers, this time to another of them.`)
}

interface Wanted {
  place: ServerPlace
  options: ServerOptions
  signal: AbortSignal
}

async function withinLimit(
  { options, signal }: Pick<Wanted, 'options' | 'signal'>,
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

async function dialFirst(addresses: string[], wanted: Wanted): Promise<Session> {
  let failure: unknown
  for (const address of addresses) {
    try {
      return await dial({ ...wanted, address })
    } catch (error) {
      failure = dialFailure(error, { isTooSlow: false })
      if (wanted.signal.aborted || isFinal(failure)) break
    }
  }
  throw failure
}

async function dial({ address, place, options, signal }: Wanted & { address: string }): Promise<Session> {
  const { settings, password } = options
  // With the first connection: most services have no MySQL, and would take a tenth of a second longer to start.
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
      stream: knownAs(socket, place.host),
      // For TLS alone: the socket is on its way to the address already.
      host: place.host,
      port: place.port,
      user: settings.user,
      ...(password === null ? {} : { password }),
      ...(settings.database === '' ? {} : { database: settings.database }),
      ...(settings.tls === 'off' ? {} : { ssl: tlsOptions(settings) }),
      flags: unwantedFlags,
      // Ours ends the dialling: see `dialLimitMs`.
      connectTimeout: 0,
      connectAttributes: { program_name: 'querypost' },
      multipleStatements: false,
      // No code is made of the names that a server gives to its columns.
      disableEval: true,
    })
    // What happens to a statement is told to the statement; what happens in between, `closed` tells.
    connection.on('error', hangUp)
    await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))
    const facts = await readServerFacts(connection)
    await ask(connection, facts.prepareSession)
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
      await ask(connection, rest.facts.prepareSession)
    },
    close() {
      connection.end(() => socket.destroySoon())
    },
    destroy: () => socket.destroy(),
  }
}

/**
 * Where the host is an address, the driver leaves the name to Node's TLS, which takes it from the socket; a socket that
 * was given an address has none, and the certificate would be compared with "localhost".
 */
function knownAs(socket: Socket, host: string): Socket {
  return Object.assign(socket, { _host: host })
}

/** Made once for each engine's settings: the driver keeps what it has learnt about TLS with this object. */
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
