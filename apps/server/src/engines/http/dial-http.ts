import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { abortAfter } from '../../ports/clock.ts'
import { EngineError } from '../engine.ts'
import { dialLimitMs, networkFailure, noAnswer } from '../server-failures.ts'
import type { ServerOptions } from '../server-options.ts'
import type { ServerPlace } from '../../model/server-settings.ts'

/** Connects to one of the allowed addresses of a place's host. */
export async function dial(options: ServerOptions, place: ServerPlace, signal: AbortSignal): Promise<Socket> {
  let firstError: EngineError | undefined
  for (const address of await options.addressesOf(place, signal)) {
    try {
      return await dialAddress({ options, place, address, signal })
    } catch (error) {
      if (signal.aborted || !(error instanceof EngineError)) throw error
      firstError ??= error
    }
  }
  throw firstError ?? new EngineError('unreachable', 'The host of the database server has no address.')
}

const endedEarly = 'The database server closed the connection before it was ready.'

interface DialRequest {
  options: ServerOptions
  place: ServerPlace
  address: string
  signal: AbortSignal
}

function dialAddress({ options, place, address, signal }: DialRequest): Promise<Socket> {
  const { settings, clock } = options
  const isEncrypted = settings.tls !== 'off'
  return new Promise((resolve, reject) => {
    // Connect to the allowed address. The host name only serves to check the certificate.
    const socket = isEncrypted
      ? connectTls({
          host: address,
          port: place.port,
          ALPNProtocols: ['http/1.1'],
          rejectUnauthorized: settings.tls === 'verified',
          ...(isIP(place.host) === 0 && { servername: place.host }),
          ...(settings.certificateAuthority !== null && { ca: settings.certificateAuthority }),
        })
      : connectPlain({ host: address, port: place.port })
    socket.setKeepAlive(true, 60_000)
    socket.setNoDelay(true)
    const limit = abortAfter(clock, dialLimitMs)
    const stop = () => socket.destroy()
    const fail = (error?: unknown) => {
      settle()
      socket.destroy()
      const message = limit.signal.aborted ? noAnswer : networkFailure(error)
      reject(new EngineError('unreachable', message ?? endedEarly, { cause: error }))
    }
    const settle = () => {
      limit.cancel()
      signal.removeEventListener('abort', stop)
      limit.signal.removeEventListener('abort', stop)
      socket.removeListener('error', fail)
      socket.removeListener('close', fail)
    }
    socket.once('error', fail)
    socket.once('close', fail)
    socket.once(isEncrypted ? 'secureConnect' : 'connect', () => {
      settle()
      resolve(socket)
    })
    limit.signal.addEventListener('abort', stop, { once: true })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}
