import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { Random } from '../../../ports/random.ts'
import type { Db } from '../../../store/db.ts'
import type { Wakeups } from '../../../store/wakeups.ts'
import { addListener, removeListener } from '../../../store/webhooks/event-listeners.ts'
import { readPublishedEvents } from '../../../store/webhooks/read-published-events.ts'
import { newId } from '../../ids.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireAllRows, requireFullSight } from '../../access/require-access.ts'
import { requireWebhooksEnabled } from '../../people/organization-settings.ts'
import { Refusal } from '../../refusal.ts'
import type { EventType } from '../../../model/event-type.ts'
import { defaultEventTypes, isDefaultEvent } from '../events/default-events.ts'
import { signingKey } from '../secret.ts'
import { plainHeaders, signatureHeaders } from '../signing.ts'
import { listenerLifetimeMs, makeEventWatcher } from './event-watcher.ts'
import type { ListeningSecrets } from './listening-secret.ts'
import { beforeFirstEvent, anyAge, positionAfter, type PositionCodec } from './position.ts'
import type { Position, PublishedEvent, Stretch } from '../../../model/event-position.ts'
import { findStart, readSince, type Start } from './start.ts'

/**
 * *Listening* means receiving the organization's events over a connection that the listener opened: for a developer's machine,
 * which webhooks cannot reach. A listener receives what an endpoint would, headers and body, signed at that moment with the
 * listener's own secret.
 *
 * - Any member who may see everything may listen. Everything in an event (an automation's name, its summary, its chat's permalink) can be read by every
 *   member in the chats. Endpoints and their secrets, which are for admins, are not part of it.
 * - A new listener receives events from now on, or since a given time. One that reconnects with its position receives what it
 *   missed within the last hour, and whether there was more.
 * - Listening has no side effects: events are delivered to endpoints as usual, and no delivery waits for a listener.
 */
export type ListenerMessage =
  | { kind: 'ready'; position: string; secret: string; hasMissedEvents: boolean }
  | { kind: 'event'; position: string; event: PublishedEvent; headers: Record<string, string> }

export interface Listening {
  /** Throws, or returns a generator that yields everything until its signal aborts. */
  open(
    caller: Caller & { keyId: string },
    input: { types?: EventType[] | undefined; since?: string | undefined; lastPosition?: string | undefined },
  ): Promise<(signal: AbortSignal) => AsyncGenerator<ListenerMessage, void, undefined>>
}

export interface ListeningDeps {
  db: Db
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
  systemIdentifier: string
  eventPositions: PositionCodec
  listeningSecrets: ListeningSecrets
}

/** An event, and the listener's position after it. */
interface PositionedEvent {
  event: PublishedEvent
  position: Position
}

/** More than anyone has terminals; few enough that a program that leaks connections notices. */
export const listenersMaxOfKey = 20
const eventsAtOnce = 50

export function makeListening(deps: ListeningDeps): Listening {
  const { db, clock } = deps
  const watcher = makeEventWatcher(deps)

  /** A read in progress is shared by all listeners at the same position. */
  const reading = new Map<string, Promise<PublishedEvent[]>>()
  function read(organizationId: string, stretch: Stretch): Promise<PublishedEvent[]> {
    const key = JSON.stringify([organizationId, stretch])
    const inProgress = reading.get(key)
    if (inProgress) return inProgress
    const events = readPublishedEvents(db, { organizationId, stretch, count: eventsAtOnce })
    const shared = events.finally(() => reading.delete(key))
    reading.set(key, shared)
    return shared
  }

  /** The events of one stretch. */
  async function* eventsOf(organizationId: string, whole: Stretch): AsyncGenerator<PositionedEvent> {
    for (let { after } = whole, isMore = true; isMore; ) {
      const stretch = { ...whole, after }
      const events = await read(organizationId, stretch)
      isMore = events.length === eventsAtOnce
      for (const [index, event] of events.entries()) {
        after = { xid: event.xid, id: event.id }
        yield { event, position: positionAfter(stretch, event, { isLast: !isMore && index === events.length - 1 }) }
      }
    }
  }

  async function* follow(
    organizationId: string,
    start: Start,
    nextNews: () => Promise<string | undefined>,
  ): AsyncGenerator<PositionedEvent> {
    let { seen } = start.position
    for (const rest of start.past) {
      yield* eventsOf(organizationId, { ...rest, seen })
      seen = rest.upTo
    }
    for (let upTo = await nextNews(); upTo !== undefined; upTo = await nextNews()) {
      let isNewer = false
      for await (const message of eventsOf(organizationId, { seen, upTo, after: beforeFirstEvent, notBefore: anyAge })) {
        isNewer = true
        yield message
      }
      // A look may be older than the snapshot that this listener started with. Going back to it would send events twice.
      if (isNewer) seen = upTo
    }
  }

  return {
    async open(caller, input) {
      await requireWebhooksEnabled(deps, caller)
      requireFullSight(caller)
      requireAllRows(caller)
      const now = clock.now()
      const since = input.since === undefined ? undefined : readSince(input.since, now)
      const { organizationId, keyId } = caller
      const place = { organizationId, systemIdentifier: deps.systemIdentifier }
      const { lastPosition } = input
      const decode = (text: string) => deps.eventPositions.decode(place, text) ?? 'unknown'
      const last = lastPosition === undefined ? undefined : decode(lastPosition)
      const types = input.types ?? defaultEventTypes
      const eventTypes = types.filter((type) => !isDefaultEvent(type))
      const listener = { id: newId(deps.random, 'listener'), organizationId, keyId, eventTypes }
      const until = new Date(now.getTime() + listenerLifetimeMs)
      if (!(await addListener(db, { ...listener, until }, { now, maxOfKey: listenersMaxOfKey }))) throw tooMany()
      const secret = deps.listeningSecrets.of(caller)
      const key = signingKey(secret)
      const encode = (position: Position) => deps.eventPositions.encode(place, position)

      return async function* tell(signal) {
        const news = watcher.join(listener, signal)
        try {
          const start = await findStart(deps, organizationId, { ...(last && { last }), ...(since && { since }) })
          const { hasMissedEvents } = start
          yield { kind: 'ready', position: encode(start.position), secret, hasMissedEvents }
          for await (const { event, position } of follow(organizationId, start, news.next)) {
            if (signal.aborted) return
            // A test is for everyone who did not ask for other types.
            if (!types.includes(event.type) && (input.types || !event.isTest)) continue
            const body = Buffer.from(event.body)
            const headers = { ...plainHeaders, ...signatureHeaders({ eventId: event.id, now: clock.now(), body, key }) }
            yield { kind: 'event', position: encode(position), event, headers }
          }
        } finally {
          news.leave()
          await removeListener(db, listener.id).catch((error: unknown) =>
            // It expires within a minute anyway. The service may be stopping, with its store closed.
            deps.log.debug({ err: error }, 'removing a listener failed'),
          )
        }
      }
    },
  }
}

const tooMany = () =>
  new Refusal(
    'too_many_requests',
    `This API key already has ${listenersMaxOfKey} listeners. Close one, or wait a minute for lost connections to expire.`,
  )
