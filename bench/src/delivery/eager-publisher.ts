/** Publishes events as fast as possible, each in its own transaction. Runs in a child process. */
import pg from 'pg'
import { newId, publishEvent } from '@querypost/server/background-work'
import { secureRandom as random, systemClock as clock } from '@querypost/server/ports'
import { openLog } from '@querypost/server/log'
import { openPostgres } from '@querypost/server/store'
import { answerRequests, startChild } from '../load/child.ts'
import { eventBody, eventContent } from './events.ts'
import { nowMs } from './monotonic.ts'

export interface EagerPublishRequest {
  databaseUrl: string
  /** `bare`: the driver alone inserts the same two rows in a transaction. It looks for no subscriber and wakes no worker. */
  how: 'ours' | 'bare'
  endpoints: { id: string; organizationId: string }[]
  /** As many connections as publishers. */
  publisherCount: number
  durationMs: number
}

export const startEagerPublisher = () => startChild<EagerPublishRequest, { perSecond: number; count: number }>(new URL(import.meta.url))

type PublishOne = (endpoint: EagerPublishRequest['endpoints'][number]) => Promise<unknown>

const opened = new Map<EagerPublishRequest['how'], Promise<PublishOne>>()

async function openOurs({ databaseUrl: url, publisherCount }: EagerPublishRequest): Promise<PublishOne> {
  const { db } = await openPostgres({ url, maxConnections: publisherCount, clock, log: openLog({ level: 'warn' }) })
  return ({ organizationId }) =>
    db.transaction().execute((tx) => publishEvent({ tx, clock, random }, { organizationId, content: eventContent }))
}

async function openBare({ databaseUrl, publisherCount }: EagerPublishRequest): Promise<PublishOne> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: publisherCount })
  return async (endpoint) => {
    const client = await pool.connect()
    const eventId = newId(random, 'evt')
    await client.query('begin')
    await client.query({
      name: 'event',
      text: 'insert into webhook_events (id, organization_id, type, created_at, body) values ($1, $2, $3, now(), $4)',
      values: [eventId, endpoint.organizationId, eventContent.type, eventBody(eventId)],
    })
    await client.query({
      name: 'delivery',
      text: `insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at)
             values ($1, $2, $3, 'pending', false, now(), now())`,
      values: [newId(random, 'dlv'), eventId, endpoint.id],
    })
    await client.query('commit')
    client.release()
  }
}

async function publish(request: EagerPublishRequest) {
  const { how, endpoints, publisherCount, durationMs } = request
  if (!opened.has(how)) opened.set(how, how === 'ours' ? openOurs(request) : openBare(request))
  const publishOne = await opened.get(how)!
  const startedMs = nowMs()
  let count = 0
  async function publishInTurn() {
    while (nowMs() - startedMs < durationMs) await publishOne(endpoints[count++ % endpoints.length]!)
  }
  await Promise.all(Array.from({ length: publisherCount }, publishInTurn))
  return { count, perSecond: (count / (nowMs() - startedMs)) * 1000 }
}

if (process.send && process.argv[1] === import.meta.filename) answerRequests(publish)
