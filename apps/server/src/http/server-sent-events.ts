import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../domain/people/caller.ts'
import type { AuthenticatedKey } from '../domain/people/key-authenticator.ts'
import type { Clock } from '../ports/clock.ts'
import { callerOf, keyIn, sessionCookie } from './authenticate.ts'

/**
 * A *stream* tells one page, or one program, what changes, for as long as it listens. Its *events* are asked for one by one: the
 * next one only when the page has room for it. So whoever tells the newest state in each event never fills memory for a
 * slow reader, and a slow reader misses steps but never the end. A *heartbeat* is a comment which keeps the connection
 * in use.
 *
 * A stream ends when the page leaves, when the session or the API key behind it ends, when the service stops, and when its events end.
 * The page's browser then opens it anew by itself, at this process or at another.
 */
export interface ServerSentEvent {
  /** The browser sends the latest one back as `Last-Event-ID` when it opens the stream anew. */
  id?: string
  event: string
  data: unknown
}

/** Must end soon after the signal aborts. */
export type Events = (signal: AbortSignal) => AsyncIterable<ServerSentEvent>

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with a stream of events: `return reply.sendEvents((signal) => …)`. */
    sendEvents(events: Events): FastifyReply
  }
}

/** Proxies close what is silent for 30 to 60 seconds. */
export const heartbeatMs = 15_000
const reopenAfterMs = 2000

/** Gives every reply `sendEvents`. */
export function addEventStreams(
  app: FastifyInstance,
  deps: {
    clock: Clock
    sessionCaller(token: string): Promise<Caller | undefined>
    authenticateKey(key: string): Promise<AuthenticatedKey | undefined>
  },
): void {
  const open = new Set<AbortController>()
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    for (const ending of open) ending.abort()
  })

  async function isStillAllowed(request: FastifyRequest): Promise<boolean> {
    const { organizationId, userId } = callerOf(request)
    const caller = request.key
      ? (await deps.authenticateKey(keyIn(request) ?? ''))?.caller
      : await deps.sessionCaller(request.cookies[sessionCookie] ?? '')
    return caller?.organizationId === organizationId && caller.userId === userId
  }

  app.decorateReply('sendEvents', function sendEvents(this: FastifyReply, events: Events) {
    const ending = new AbortController()
    open.add(ending)
    if (isStopping) ending.abort()
    this.raw.once('close', () => {
      open.delete(ending)
      ending.abort()
    })
    this.header('content-type', 'text/event-stream; charset=utf-8')
    this.header('cache-control', 'no-store, no-transform')
    // A proxy that collects an answer before it passes it on would tell nothing.
    this.header('x-accel-buffering', 'no')
    this.header('connection', 'close')
    const isAllowed = () => isStillAllowed(this.request)
    const frames = writeFrames({ clock: deps.clock, events, isAllowed, ending })
    return this.send(Readable.from(frames, { objectMode: false }))
  })
}

async function* writeFrames(options: {
  clock: Clock
  events: Events
  isAllowed(): Promise<boolean>
  ending: AbortController
}): AsyncGenerator<string> {
  const { clock, ending } = options
  const { signal } = ending
  // Said at once, so that the page knows the stream is open before anything has happened.
  yield `retry: ${reopenAfterMs}\n\n`
  if (signal.aborted) return
  const events = options.events(signal)[Symbol.asyncIterator]()
  try {
    let coming = events.next()
    for (;;) {
      const came = new AbortController()
      const heartbeat = clock.sleep(heartbeatMs, AbortSignal.any([came.signal, signal]))
      const next = await Promise.race([coming, heartbeat])
      came.abort()
      if (signal.aborted || next?.done) return
      if (!(await options.isAllowed())) return
      if (!next) {
        yield ': still here\n\n'
        continue
      }
      yield frameOf(next.value)
      coming = events.next()
    }
  } finally {
    ending.abort()
    await events.return?.()
  }
}

/** JSON has no line breaks of its own, so the data is one line. */
function frameOf({ id, event, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
