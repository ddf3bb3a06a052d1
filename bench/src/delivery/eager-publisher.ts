/** Publishes events as fast as possible, each in its own transaction. Runs in a child process. */
import { publishEvent } from '@querypost/server/background-work'
import { secureRandom as random, systemClock as clock } from '@querypost/server/ports'
import { openLog } from '@querypost/server/log'
import { openPostgres } from '@querypost/server/store'
import { answerRequests, startChild } from '../load/child.ts'
import { openBarePublishing, type PublishTo } from './bare-publish.ts'
import { eventContent } from './events.ts'
import { nowMs } from './monotonic.ts'

export interface EagerPublishRequest {
  databaseUrl: string
  /** `bare`: see `bare-publish.ts`. */
  how: 'ours' | 'bare'
  endpoints: { id: string; organizationId: string }[]
  /** As many connections as publishers. */
  publisherCount: number
  durationMs: number
}

export const startEagerPublisher = () => startChild<EagerPublishRequest, { perSecond: number; count: number }>(new URL(import.meta.url))

const opened = new Map<EagerPublishRequest['how'], Promise<PublishTo>>()

async function openOurs({ databaseUrl: url, publisherCount }: EagerPublishRequest): Promise<PublishTo> {
  const { db } = await openPostgres({ url, maxConnections: publisherCount, clock, log: openLog({ level: 'warn' }) })
  return ({ organizationId }) =>
    db.transaction().execute((tx) => publishEvent({ tx, clock, random }, { organizationId, content: eventContent }))
}

async function publish(request: EagerPublishRequest) {
  const { databaseUrl, how, endpoints, publisherCount, durationMs } = request
  if (!opened.has(how)) {
    const openBare = async () => openBarePublishing({ databaseUrl, connectionsMax: publisherCount }).publish
    opened.set(how, how === 'ours' ? openOurs(request) : openBare())
  }
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
