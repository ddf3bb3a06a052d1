import type { Request } from './attempt.ts'
import type { Clock } from './clock.ts'
import { QuerypostError, TimeoutError } from './errors.ts'
import { makeLimit } from './limit.ts'
import { mayRetry, retryWaitMs } from './retry.ts'
import { makeServerSentEventReader, type ServerSentEvent } from './server-sent-events.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface StreamOptions extends CallOptions {
  /** Resume after this `position` of an earlier stream. */
  after?: string | undefined
  /** Called before reconnecting after the connection was lost (`error` is undefined if it merely ended). */
  onReconnect?(about: { error: QuerypostError | undefined; waitMs: number }): void
}

/** The service sends something every 15 seconds; after three times as long, the connection is considered dead. */
const silentMs = 45_000
const reopenMs = 2000

/**
 * Yields the messages of a stream while the caller listens. An initial failure is thrown. Once open, the stream reconnects whenever the
 * connection ends, from where it was, without limit; a permanent failure (such as a revoked key) is thrown then too. `timeoutMs` is how
 * long to listen. `messageOf` returns undefined for messages that only a newer version knows.
 */
export async function* streamMessages<Message>(
  transport: Transport,
  options: StreamOptions,
  { request, messageOf }: { request: Request; messageOf(event: ServerSentEvent): Message | undefined },
): AsyncGenerator<Message, void> {
  const { clock, random } = transport
  const listening = makeLimit({ clock, timeoutMs: options.timeoutMs, signal: options.signal, onTimeout })
  const { signal } = listening
  let position = options.after
  let failures = 0
  try {
    for (let isFirst = true; ; isFirst = false) {
      let error: QuerypostError | undefined
      let askedMs = reopenMs
      const connection = makeLimit({ clock, signal, onTimeout })
      try {
        const response = await transport.open(requestAfter(request, position), { signal: connection.signal })
        for await (const event of readEvents(clock, response, signal)) {
          failures = 0
          if (typeof event === 'number') {
            askedMs = event
            continue
          }
          position = event.lastEventId
          const message = messageOf(event)
          if (message) yield message
          signal.throwIfAborted()
        }
      } catch (caught) {
        signal.throwIfAborted()
        if (isFirst || !(caught instanceof QuerypostError) || !mayRetry(caught, { isIdempotent: true })) throw caught
        error = caught
      } finally {
        connection.end()
      }
      signal.throwIfAborted()
      failures++
      const retryAfterMs = Math.min(error?.retryAfterMs ?? 0, 60_000)
      const waitMs = askedMs + retryWaitMs({ attempt: failures, retryAfterMs, random })!
      options.onReconnect?.({ error, waitMs })
      await clock.sleep(waitMs, signal)
      signal.throwIfAborted()
    }
  } finally {
    listening.end()
  }
}

const onTimeout = (ms: number) => new TimeoutError({ message: `The stream reached its timeout of ${ms} ms.`, timeoutMs: ms })

const requestAfter = (request: Request, position: string | undefined): Request => ({
  ...request,
  headers: { ...request.headers, accept: 'text/event-stream', ...(position !== undefined && { 'last-event-id': position }) },
})

/** Yields the events and, as a number, how long to wait before reconnecting. Ends when the connection does, for whatever reason. */
async function* readEvents(
  clock: Clock,
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent | number> {
  const reader = response.body!.getReader()
  const events = makeServerSentEventReader()
  try {
    for (;;) {
      const arrived = new AbortController()
      const silence = clock.sleep(silentMs, arrived.signal).then(() => undefined)
      const read = reader.read().then(
        (piece) => piece,
        // Lost connections are an ordinary end of a stream.
        () => undefined,
      )
      const leave = () => arrived.abort()
      signal.addEventListener('abort', leave)
      const piece = await Promise.race([read, silence])
      signal.removeEventListener('abort', leave)
      arrived.abort()
      if (!piece || piece.done) return
      yield* events.push(piece.value)
      const retryMs = events.retryMs()
      if (retryMs !== undefined) yield retryMs
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
