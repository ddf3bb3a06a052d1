/**
 * One HTTP request and its response. The databases' own clients are not used for two reasons: they resolve host names
 * themselves, while here only allowed addresses are dialed; and their streams discard buffered data when the connection breaks,
 * which is where a server's error message may be. Redirects are not followed.
 */
import type { Dispatcher } from 'undici'

export interface Head {
  status: number
  headers: Record<string, string | string[] | undefined>
}

export interface Exchange {
  /** Rejects when the connection fails or is lost before the response starts. */
  head: Promise<Head>
  /** The next chunk of the body, null at its end. After a lost connection, buffered chunks are returned before it rejects. */
  next(): Promise<Uint8Array | null>
  /** Reads and discards the rest. Resolves when the exchange is over, however it ended. */
  drain(): Promise<void>
  /** Whether the server may have received the request. */
  isSent(): boolean
  /** Whether the whole response has arrived, so the server is done. */
  isComplete(): boolean
  /** Closes the connection. */
  abort(): void
}

export interface ExchangeRequest {
  method?: 'POST' | 'GET' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: string
}

/** Beyond this, reading pauses and the connection applies backpressure to the server. */
const readAheadBytes = 256 * 1024

class Aborted extends Error {}

export function startExchange(openDispatcher: () => Promise<Dispatcher>, request: ExchangeRequest): Exchange {
  const pieces: Uint8Array[] = []
  let heldBytes = 0
  let controller: Dispatcher.DispatchController | undefined
  let isDraining = false
  let isAborted = false
  let end: { error: unknown } | undefined
  let wake: (() => void) | undefined
  const head = Promise.withResolvers<Head>()
  // An aborted caller never awaits the head.
  head.promise.catch(() => {})
  const over = Promise.withResolvers<void>()

  function finish(error: unknown): void {
    end ??= { error }
    head.reject(error ?? new Error('The response has no head.'))
    over.resolve()
    wake?.()
  }

  const dispatch = (dispatcher: Dispatcher) =>
    dispatcher.dispatch(
      { method: 'POST', ...request, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          controller = started
          if (isAborted) started.abort(new Aborted())
        },
        onResponseStart(_, status, headers) {
          if (status >= 200) head.resolve({ status, headers })
        },
        onResponseData(started, piece) {
          if (isDraining) return
          pieces.push(piece)
          heldBytes += piece.length
          if (heldBytes > readAheadBytes) started.pause()
          wake?.()
        },
        onResponseEnd: () => finish(undefined),
        onResponseError: (_, error) => finish(error),
      },
    )
  openDispatcher()
    .then((dispatcher) => isAborted || dispatch(dispatcher))
    .catch(finish)

  return {
    head: head.promise,
    async next() {
      while (pieces.length === 0 && end === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const piece = pieces.shift()
      if (piece === undefined) {
        if (end?.error !== undefined) throw end.error
        return null
      }
      heldBytes -= piece.length
      if (heldBytes <= readAheadBytes && controller?.paused) controller.resume()
      return piece
    },
    drain() {
      isDraining = true
      pieces.length = 0
      if (controller?.paused) controller.resume()
      return over.promise
    },
    isSent: () => controller !== undefined,
    isComplete: () => end !== undefined && end.error === undefined,
    abort() {
      isAborted = true
      if (controller) controller.abort(new Aborted())
      else finish(new Aborted())
    },
  }
}

/** Larger than the column list of the largest warehouses. */
const textLimitBytes = 64 * 1024 * 1024

/** The whole body as text. For short responses, not for the rows of a user's statement. */
export async function textOf(exchange: Exchange): Promise<string> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  for (let piece = await exchange.next(); piece !== null; piece = await exchange.next()) {
    pieces.push(piece)
    sizeBytes += piece.length
    if (sizeBytes > textLimitBytes) exchange.abort()
  }
  return Buffer.concat(pieces).toString()
}
