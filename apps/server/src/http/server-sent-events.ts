import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../model/caller.ts'
import type { AuthenticatedKey } from '../domain/people/key-authenticator.ts'
import { Refusal } from '../domain/refusal.ts'
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
 *
 * A process has a limited number of streams, and so has each person in it, pages and API keys together. A stream takes its place before
 * its route does anything, and gives it back when its connection closes.
 */
export interface ServerSentEvent {
  /** The browser sends the latest one back as `Last-Event-ID` when it opens the stream anew. */
  id?: string
  event: string
  data: unknown
}

/** Must end soon after the signal aborts. */
export type Events = (signal: AbortSignal) => AsyncIterable<ServerSentEvent>

export interface StreamLimits {
  /** More than anybody has tabs and terminals. */
  perPerson: number
  perProcess: number
}

export const defaultStreamLimits: StreamLimits = { perPerson: 64, perProcess: 2_000 }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers with `sendEvents`, and counts against the limits. */
    isEventStream?: boolean
  }
  interface FastifyReply {
    /** Answers with a stream of events: `return reply.sendEvents((signal) => …)`. */
    sendEvents(events: Events): FastifyReply
  }
}

/** Proxies close what is silent for 30 to 60 seconds. */
export const heartbeatMs = 15_000
const reopenAfterMs = 2000
/** Pages and the client library wait at least this long after a refusal. */
const retryAfterSeconds = 15

/** Gives every reply `sendEvents`. */
export function addEventStreams(
  app: FastifyInstance,
  deps: {
    clock: Clock
    sessionCaller(token: string): Promise<Caller | undefined>
    authenticateKey(key: string): Promise<AuthenticatedKey | undefined>
    limits?: StreamLimits | undefined
  },
): void {
  const takePlace = makePlaces(deps.limits ?? defaultStreamLimits)
  async function requirePlace(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      reply.raw.once('close', takePlace(callerOf(request).userId))
    } catch (refusal) {
      reply.header('retry-after', retryAfterSeconds)
      throw refusal
    }
  }
  app.addHook('onRoute', (route) => {
    if (!route.config?.isEventStream) return
    const others = [route.preHandler ?? []].flat().filter((hook) => hook !== requirePlace)
    route.preHandler = [requirePlace, ...others]
  })
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
    if (!this.request.routeOptions.config.isEventStream) throw new Error('A route that sends events must say so in its config.')
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

/** Counts the streams of this process. The function that it returns takes a place, or refuses; the result gives it back. */
function makePlaces({ perPerson, perProcess }: StreamLimits): (userId: string) => () => void {
  const countOf = new Map<string, number>()
  let total = 0
  return (userId) => {
    const own = countOf.get(userId) ?? 0
    if (own >= perPerson) {
      throw new Refusal(
        'too_many_requests',
        `You have ${perPerson} event streams open, the most that one person may have. Close a tab or end a listener, then try again.`,
      )
    }
    if (total >= perProcess) {
      throw new Refusal('too_many_requests', `This process has ${perProcess} event streams open, the most that it may have. Try again later.`)
    }
    total += 1
    countOf.set(userId, own + 1)
    return () => {
      total -= 1
      const left = countOf.get(userId)! - 1
      if (left === 0) countOf.delete(userId)
      else countOf.set(userId, left)
    }
  }
}

/** Streams that opened at about the same time beat together, so that one statement looks up all of their sessions. */
const beatStepMs = 1_000

/** At most `heartbeatMs`, and never much less. */
function untilBeat(clock: Clock): number {
  const nowMs = clock.monotonicMs()
  return Math.floor((nowMs + heartbeatMs) / beatStepMs) * beatStepMs - nowMs
}

/** An event that has come, or what kept it from coming. */
type Arrival = { next: IteratorResult<ServerSentEvent> } | { error: unknown }

export async function* writeFrames(options: {
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
  let arrival: Arrival | undefined
  let wake: (() => void) | undefined
  // Each event is waited for once, however many heartbeats pass before it comes. A promise that is raced again at every heartbeat would
  // keep all of those reactions until it settles, which on an idle stream is never.
  function askForNext() {
    arrival = undefined
    const arrive = (arrived: Arrival) => {
      arrival = arrived
      wake?.()
    }
    events.next().then(
      (next) => arrive({ next }),
      (error: unknown) => arrive({ error }),
    )
  }
  const onAbort = () => wake?.()
  signal.addEventListener('abort', onAbort)
  try {
    askForNext()
    for (;;) {
      if (!arrival && !signal.aborted) {
        const pause = new AbortController()
        wake = () => pause.abort()
        await clock.sleep(untilBeat(clock), pause.signal)
      }
      const arrived = arrival
      if (signal.aborted) return
      if (arrived && 'error' in arrived) throw arrived.error
      if (arrived?.next.done) return
      if (!(await options.isAllowed())) return
      if (!arrived) {
        yield ': still here\n\n'
        continue
      }
      yield frameOf(arrived.next.value as ServerSentEvent)
      askForNext()
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    ending.abort()
    await events.return?.()
  }
}

/** JSON has no line breaks of its own, so the data is one line. */
function frameOf({ id, event, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
