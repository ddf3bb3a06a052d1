import type { ServerPlace } from '../../model/server-settings.ts'
import { stoppedBeforeStart } from '../engine.ts'
import { TooManyBytes } from '../json-bytes.ts'
import type { ServerOptions } from '../server-options.ts'
import { openPool } from './open-pool.ts'
import { type ExchangeRequest, startExchange } from './pooled-exchange.ts'
import { describeUnavailable } from './server-unavailable.ts'

export interface HttpResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Followed by a 0 byte. */
  body: Buffer
}

/** Kept-alive connections to one place, for responses that are read as a whole. */
export interface HttpConnection {
  origin: string
  /** Throws `ServerUnavailable` if the connection fails. */
  request(request: ExchangeRequest & { signal?: AbortSignal | undefined }): Promise<HttpResponse>
  close(): Promise<void>
}

export function openHttpConnection(
  options: ServerOptions,
  place: ServerPlace,
  /** `wrongServer`: the message if something else than the database answers. */
  { maxBytes, wrongServer }: { maxBytes: number; wrongServer: string },
): HttpConnection {
  const { origin, pool, close } = openPool(options, place)

  function fail(error: unknown): never {
    throw describeUnavailable(error, wrongServer)
  }

  return {
    origin,
    async request({ signal, ...sent }) {
      if (signal?.aborted) throw stoppedBeforeStart()
      const exchange = startExchange(pool, sent)
      const stop = () => exchange.abort()
      signal?.addEventListener('abort', stop, { once: true })
      try {
        const head = await exchange.head.catch(fail)
        const pieces: Uint8Array[] = []
        let sizeBytes = 0
        for (let piece = await exchange.next().catch(fail); piece !== null; piece = await exchange.next().catch(fail)) {
          pieces.push(piece)
          sizeBytes += piece.length
          if (sizeBytes > maxBytes) {
            exchange.abort()
            throw new TooManyBytes()
          }
        }
        return { ...head, body: Buffer.concat([...pieces, Buffer.of(0)]) }
      } catch (error) {
        throw signal?.aborted ? stoppedBeforeStart() : error
      } finally {
        signal?.removeEventListener('abort', stop)
      }
    },
    close,
  }
}
