/** Publishes events at a steady rate, each in its own transaction with a wake-up, as an API process does. Runs in a child process. */
import { publishEvent } from '@querypost/server/background-work'
import { secureRandom as random, systemClock as clock } from '@querypost/server/ports'
import { openLog } from '@querypost/server/log'
import { openPostgres } from '@querypost/server/store'
import { answerRequests, startChild } from '../load/child.ts'
import { openBarePublishing, type PublishTo } from './bare-publish.ts'
import { eventContent } from './events.ts'
import { nowMs } from './monotonic.ts'
import { bareTopic } from './senders/bare-listener.ts'

export interface PublishRequest {
  databaseUrl: string
  /** `bare`: see `bare-publish.ts`; then it notifies the `bare-listener.ts`. */
  how: 'ours' | 'bare'
  /** One event for each in turn. */
  endpoints: { id: string; organizationId: string }[]
  perSecond: number
  durationMs: number
}

/** As many as the service opens by default. */
const connectionsMax = 16

export interface PublishedEvent {
  eventId: string
  organizationId: string
  /** Just before the transaction begins. */
  begunMs: number
  /** When its commit was acknowledged. */
  committedMs: number
}

export const startPublisher = () => startChild<PublishRequest, PublishedEvent[]>(new URL(import.meta.url))

interface Publishing {
  publish: PublishTo
  /** Ours wakes workers by itself. */
  afterCommit?(payload: string): Promise<unknown>
}

const opened = new Map<PublishRequest['how'], Promise<Publishing>>()

async function openOurs(url: string): Promise<Publishing> {
  const { db } = await openPostgres({ url, maxConnections: connectionsMax, clock, log: openLog({ level: 'warn' }) })
  return {
    publish: ({ organizationId }) =>
      db.transaction().execute((tx) => publishEvent({ tx, clock, random }, { organizationId, content: eventContent })),
  }
}

async function openBare(databaseUrl: string): Promise<Publishing> {
  const { publish, pool } = openBarePublishing({ databaseUrl, connectionsMax })
  // Notifying takes less time after the commit and without waiting for the disk than in the transaction.
  const text = `select set_config('synchronous_commit', 'off', true), pg_notify('${bareTopic}', $1)`
  return { publish, afterCommit: (payload) => pool.query({ name: 'notify', text, values: [payload] }) }
}

async function publish({ databaseUrl, how, endpoints, perSecond, durationMs }: PublishRequest): Promise<PublishedEvent[]> {
  if (!opened.has(how)) opened.set(how, how === 'ours' ? openOurs(databaseUrl) : openBare(databaseUrl))
  const { publish: publishTo, afterCommit } = await opened.get(how)!
  async function publishOne(number: number): Promise<PublishedEvent> {
    const index = number % endpoints.length
    const endpoint = endpoints[index]!
    const begunMs = nowMs()
    const { eventId } = await publishTo(endpoint)
    const committedMs = nowMs()
    await afterCommit?.(`${index} ${eventId}`)
    return { eventId, organizationId: endpoint.organizationId, begunMs, committedMs }
  }
  // Scheduled by the clock, so that a slow commit does not lower the rate.
  const events: Promise<PublishedEvent>[] = []
  const count = Math.floor((perSecond * durationMs) / 1000)
  const startedMs = nowMs()
  while (events.length < count) {
    const due = Math.min(count, Math.floor(((nowMs() - startedMs) * perSecond) / 1000))
    while (events.length < due) events.push(publishOne(events.length))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return Promise.all(events)
}

if (process.send && process.argv[1] === import.meta.filename) answerRequests(publish)
