/**
 * One request and its answer. `@clickhouse/client` is not used: it resolves names itself, while here only addresses
 * that were allowed are dialled, and a stream forgets what has come when its connection breaks, which is where a
 * server says why.
 */
import type { Dispatcher } from 'undici'

export interface Head {
  status: number
  headers: Record<string, string | string[] | undefined>
}

export interface Exchange {
  /** Rejects when the connection is lost, or could not be made, before an answer came. */
  head: Promise<Head>
  /** The next piece of the body, null at its end. All that has come is given before a lost connection rejects. */
  next(): Promise<Uint8Array | null>
  /** Reads the rest for nobody. Resolves when the exchange is over, however it ended. */
  drain(): Promise<void>
  /** Whether the server may have got it. */
  isSent(): boolean
  /** Whether all of the answer has come: the server is done with it. */
  isComplete(): boolean
  /** Closes the connection. */
  abort(): void
}

export interface Asking {
  path: string
  headers: Record<string, string>
  body: string
}

/** More than this is not read ahead; the connection then holds the server back. */
const readAheadBytes = 256 * 1024

class Aborted extends Error {}

export function exchange(dispatcher: Dispatcher, asking: Asking): Exchange {
  const pieces: Uint8Array[] = []
  let heldBytes = 0
  let controller: Dispatcher.DispatchController | undefined
  let isDraining = false
  let isAborted = false
  let end: { error: unknown } | undefined
  let wake: (() => void) | undefined
  const head = Promise.withResolvers<Head>()
  // Whoever lost interest does not look at it.
  head.promise.catch(() => {})
  const over = Promise.withResolvers<void>()

  function finish(error: unknown): void {
    end ??= { error }
    head.reject(error ?? new Error('The answer has no head.'))
    over.resolve()
    wake?.()
  }

  dispatcher.dispatch(
    { method: 'POST', ...asking, headersTimeout: 0, bodyTimeout: 0 },
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

/** More than the columns of the largest warehouses take. */
const textLimitBytes = 64 * 1024 * 1024

/** The whole body, where it is not the rows of somebody's statement. */
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
