/** Publishes events at a steady rate, each in its own transaction with a wake-up, as an API process does. Runs in a child process. */
import { publishEvent } from '@querypost/server/background-work'
import { secureRandom as random, systemClock as clock } from '@querypost/server/ports'
import { openLog } from '@querypost/server/log'
import { openPostgres, type Store } from '@querypost/server/store'
import { answerRequests, startChild } from '../load/child.ts'
import { eventContent } from './events.ts'
import { nowMs } from './monotonic.ts'

export interface PublishRequest {
  databaseUrl: string
  /** One event for each endpoint in turn. */
  organizationIds: string[]
  perSecond: number
  durationMs: number
}

export interface PublishedEvent {
  eventId: string
  organizationId: string
  /** Just before the transaction begins. */
  begunMs: number
  /** When its commit was acknowledged. */
  committedMs: number
}

export const startPublisher = () => startChild<PublishRequest, PublishedEvent[]>(new URL(import.meta.url))

let opened: Promise<Store> | undefined

async function publish(request: PublishRequest): Promise<PublishedEvent[]> {
  const { organizationIds, perSecond, durationMs } = request
  opened ??= openPostgres({ url: request.databaseUrl, clock, log: openLog({ level: 'warn' }) })
  const { db } = await opened
  const publishOne = async (organizationId: string): Promise<PublishedEvent> => {
    const begunMs = nowMs()
    const { eventId } = await db
      .transaction()
      .execute((tx) => publishEvent({ tx, clock, random }, { organizationId, content: eventContent }))
    const committedMs = nowMs()
    return { eventId, organizationId, begunMs, committedMs }
  }
  // Scheduled by the clock, so that a slow commit does not lower the rate.
  const events: Promise<PublishedEvent>[] = []
  const count = Math.floor((perSecond * durationMs) / 1000)
  const startedMs = nowMs()
  while (events.length < count) {
    const due = Math.min(count, Math.floor(((nowMs() - startedMs) * perSecond) / 1000))
    while (events.length < due) events.push(publishOne(organizationIds[events.length % organizationIds.length]!))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return Promise.all(events)
}

if (process.send && process.argv[1] === import.meta.filename) answerRequests(publish)
