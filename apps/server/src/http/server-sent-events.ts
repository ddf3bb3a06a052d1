import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../model/caller.ts'
import type { AuthenticateKey } from '../domain/people/key-authenticator.ts'
import { viewerOf } from '../domain/access/read-access.ts'
import { Refusal } from '../domain/refusal.ts'
import { readAsViewer } from '../store/access/viewer.ts'
import type { Clock } from '../ports/clock.ts'
import { clientAddress } from './client-address.ts'
import { callerOf, keyIn, sessionCookie } from './authenticate.ts'

/**
 * A *stream* sends changes to one page or program for as long as it listens. Its *events* are pulled one at a time, each only when the
 * client can receive it. If each event carries the latest state, a slow reader uses no extra memory: it misses intermediate steps, but
 * never the last one. A *heartbeat* is a comment that keeps the connection alive.
 *
 * A stream ends when the client disconnects, when its session or API key ends, when the caller's access changes, when the service stops, and when its events end. The
 * browser then reconnects on its own, to this process or another.
 *
 * The number of streams is limited per process and per person; a person's pages and API keys count together. A stream takes a slot
 * before its handler runs, and releases it when its connection closes.
 */
export interface ServerSentEvent {
  /** The browser sends the last id as `Last-Event-ID` when it reconnects. */
  id?: string
  event: string
  data: unknown
}

/** Must end soon after the signal aborts. */
export type Events = (signal: AbortSignal) => AsyncIterable<ServerSentEvent>

export interface StreamLimits {
  /** More than the tabs and terminals that a person has open. */
  perPerson: number
  perProcess: number
}

export const defaultStreamLimits: StreamLimits = { perPerson: 64, perProcess: 2_000 }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route responds with `sendEvents` and counts against the limits. */
    isEventStream?: boolean
  }
  interface FastifyReply {
    /** Responds with a stream of events: `return reply.sendEvents((signal) => …)`. */
    sendEvents(events: Events): FastifyReply
  }
}

/** Proxies close connections that are idle for 30 to 60 seconds. */
export const heartbeatMs = 15_000
const reconnectAfterMs = 2000
/** Pages and the client library wait at least this long after a rejection. */
const retryAfterSeconds = 15

/** Adds `sendEvents` to every reply. */
export function addEventStreams(
  app: FastifyInstance,
  deps: {
    clock: Clock
    sessionCaller(token: string): Promise<Caller | undefined>
    authenticateKey: AuthenticateKey
    limits?: StreamLimits | undefined
  },
): void {
  const acquireSlot = makeSlots(deps.limits ?? defaultStreamLimits)
  async function requireSlot(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      reply.raw.once('close', acquireSlot(callerOf(request).userId))
    } catch (refusal) {
      reply.header('retry-after', retryAfterSeconds)
      throw refusal
    }
  }
  app.addHook('onRoute', (route) => {
    if (!route.config?.isEventStream) return
    const others = [route.preHandler ?? []].flat().filter((hook) => hook !== requireSlot)
    route.preHandler = [requireSlot, ...others]
  })
  const open = new Set<AbortController>()
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    for (const ending of open) ending.abort()
  })

  async function isStillAllowed(request: FastifyRequest): Promise<boolean> {
    const { organizationId, userId, access } = callerOf(request)
    const caller = request.key
      ? await callerOfKey(request)
      : await deps.sessionCaller(request.cookies[sessionCookie] ?? '')
    return caller?.organizationId === organizationId && caller.userId === userId && isDeepStrictEqual(caller.access, access)
  }

  /** Undefined also for a key that has expired since the stream began. */
  async function callerOfKey(request: FastifyRequest): Promise<Caller | undefined> {
    try {
      return (await deps.authenticateKey(keyIn(request) ?? '', clientAddress(request)))?.caller
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }

  app.decorateReply('sendEvents', function sendEvents(this: FastifyReply, events: Events) {
    if (!this.request.routeOptions.config.isEventStream) throw new Error('A route that sends events must set isEventStream in its config.')
    const ending = new AbortController()
    open.add(ending)
    if (isStopping) ending.abort()
    this.raw.once('close', () => {
      open.delete(ending)
      ending.abort()
    })
    this.header('content-type', 'text/event-stream; charset=utf-8')
    this.header('cache-control', 'no-store, no-transform')
    // A proxy that buffers the response would hold events back.
    this.header('x-accel-buffering', 'no')
    this.header('connection', 'close')
    const isAllowed = () => isStillAllowed(this.request)
    const viewer = viewerOf(callerOf(this.request))
    const visibleEvents: Events = (signal) => (viewer ? readAsViewer(viewer, events(signal)) : events(signal))
    const frames = writeFrames({ clock: deps.clock, events: visibleEvents, isAllowed, ending })
    return this.send(Readable.from(frames, { objectMode: false }))
  })
}

/** Counts the streams of this process. Returns a function that acquires a slot or throws; its result releases the slot. */
function makeSlots({ perPerson, perProcess }: StreamLimits): (userId: string) => () => void {
  const countOf = new Map<string, number>()
  let total = 0
  return (userId) => {
    const own = countOf.get(userId) ?? 0
    if (own >= perPerson) {
      throw new Refusal(
        'too_many_requests',
        `You have ${perPerson} event streams open, the maximum per user. Close a tab or stop a listener, then try again.`,
      )
    }
    if (total >= perProcess) {
      throw new Refusal('too_many_requests', `This process has ${perProcess} event streams open, the maximum. Try again later.`)
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

/** Heartbeats are aligned to this step, so that one statement looks up the sessions of many streams. */
const heartbeatStepMs = 1_000

/** At most `heartbeatMs`, and never more than a step less. */
function untilHeartbeat(clock: Clock): number {
  const nowMs = clock.monotonicMs()
  return Math.floor((nowMs + heartbeatMs) / heartbeatStepMs) * heartbeatStepMs - nowMs
}

/** The next event, or the error that prevented it. */
type Arrival = { next: IteratorResult<ServerSentEvent> } | { error: unknown }

export async function* writeFrames(options: {
  clock: Clock
  events: Events
  isAllowed(): Promise<boolean>
  ending: AbortController
}): AsyncGenerator<string> {
  const { clock, ending } = options
  const { signal } = ending
  // Sent at once, so that the client knows the stream is open before the first event.
  yield `retry: ${reconnectAfterMs}\n\n`
  if (signal.aborted) return
  const events = options.events(signal)[Symbol.asyncIterator]()
  let arrival: Arrival | undefined
  let wake: (() => void) | undefined
  // Subscribe to each event once, however many heartbeats pass before it arrives. Racing the same promise at every heartbeat would
  // accumulate reactions until it settles, which on an idle stream is never.
  function requestNext() {
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
    requestNext()
    for (;;) {
      if (!arrival && !signal.aborted) {
        const pause = new AbortController()
        wake = () => pause.abort()
        await clock.sleep(untilHeartbeat(clock), pause.signal)
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
      requestNext()
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    ending.abort()
    await events.return?.()
  }
}

/** `JSON.stringify` escapes line breaks, so the data is a single line. */
function frameOf({ id, event, data }: ServerSentEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
