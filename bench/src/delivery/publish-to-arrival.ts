import type { Child } from '../load/child.ts'
import { quantile } from '../statistics.ts'
import { clearDeliveries } from './backlog.ts'
import type { BenchEndpoint } from './endpoints.ts'
import type { PublishedEvent, PublishRequest } from './publisher.ts'
import type { Arrivals } from './receiver.ts'
import { startBareListener } from './senders/bare-listener.ts'
import type { World } from './world.ts'

export interface ArrivalFigures {
  p50Ms: number
  p99Ms: number
  /** Measured from the acknowledgement of the commit. */
  fromCommitP50Ms: number
  fromCommitP99Ms: number
  commitP50Ms: number
  commitP99Ms: number
  /** All arrivals, for further analysis. */
  arrivals: Arrivals
  publishedFromMs: number
  publishedToMs: number
}

export const perSecond = 150
/** Time for opening connections and compiling. */
const warmUpMs = 3000
const arriveWithinMs = 60_000

/**
 * Publishes to endpoints in turn with a new worker, and measures the time from just before the publishing transaction until the request
 * has arrived, at the endpoints that count.
 */
export async function publishToArrival(
  world: World,
  options: {
    publisher: Child<PublishRequest, PublishedEvent[]>
    endpoints: BenchEndpoint[]
    counting: BenchEndpoint[]
    durationMs: number
    /** `bare`: without the service, for the ceiling. */
    how?: 'ours' | 'bare'
    /** Called after the worker has started, before anything is published. */
    prepare?: () => Promise<void>
  },
): Promise<ArrivalFigures> {
  const { receivers } = world
  const { how = 'ours' } = options
  await receivers.ask({ act: 'forget' })
  await world.sql.query('checkpoint')
  const sender = await startSender(world, how, options.endpoints)
  await options.prepare?.()
  const published = await options.publisher.ask({
    databaseUrl: world.postgres.url,
    how,
    endpoints: options.endpoints.map(({ id, organizationId }) => ({ id, organizationId })),
    perSecond,
    durationMs: warmUpMs + options.durationMs,
  })
  const arrivals = await collect(world, published.filter(isOf(options.counting)))
  await sender.stop()
  await clearDeliveries(world.sql)
  await receivers.ask({ act: 'verify', secrets: world.secrets() })

  const arrivedMs = firstArrivals(arrivals)
  const publishedFromMs = published[0]!.begunMs + warmUpMs
  const counted = published.filter(isOf(options.counting)).filter(({ begunMs }) => begunMs >= publishedFromMs)
  const fromBegin = counted.map(({ eventId, begunMs }) => arrivedMs.get(eventId)! - begunMs)
  const fromCommit = counted.map(({ eventId, committedMs }) => arrivedMs.get(eventId)! - committedMs)
  const commits = counted.map(({ begunMs, committedMs }) => committedMs - begunMs)
  return {
    p50Ms: quantile(fromBegin, 0.5),
    p99Ms: quantile(fromBegin, 0.99),
    fromCommitP50Ms: quantile(fromCommit, 0.5),
    fromCommitP99Ms: quantile(fromCommit, 0.99),
    commitP50Ms: quantile(commits, 0.5),
    commitP99Ms: quantile(commits, 0.99),
    arrivals,
    publishedFromMs,
    publishedToMs: published.at(-1)!.begunMs,
  }
}

function startSender(world: World, how: 'ours' | 'bare', endpoints: BenchEndpoint[]): Promise<{ stop(): Promise<void> }> {
  if (how === 'ours') return world.startProcess('worker')
  return startBareListener({ endpoints, authority: world.authority, storeUrl: world.postgres.url })
}

function isOf(endpoints: BenchEndpoint[]) {
  const organizations = new Set(endpoints.map(({ organizationId }) => organizationId))
  return ({ organizationId }: PublishedEvent) => organizations.has(organizationId)
}

/** Waits until all these events have arrived. */
async function collect(world: World, events: PublishedEvent[]): Promise<Arrivals> {
  const untilMs = performance.now() + arriveWithinMs
  for (;;) {
    const { arrivals } = await world.receivers.ask({ act: 'report' })
    const arrived = new Set(arrivals.eventIds)
    const missingCount = events.filter(({ eventId }) => !arrived.has(eventId)).length
    if (missingCount === 0) return arrivals
    if (performance.now() > untilMs) {
      throw new Error(`${missingCount} of ${events.length} events have not arrived. ${await describeDeliveries(world)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

function firstArrivals({ eventIds, atMs }: Arrivals): Map<string, number> {
  const first = new Map<string, number>()
  for (const [index, eventId] of eventIds.entries()) {
    if (!first.has(eventId)) first.set(eventId, atMs[index]!)
  }
  return first
}

/** Details for debugging. */
async function describeDeliveries(world: World): Promise<string> {
  const { rows } = await world.sql.query<{ text: string }>(
    `select count(*) || ' ' || state || ', leased ' || count(lease_owner) || ', the last failure: ' ||
       coalesce(max(attempts -> -1 -> 'failure' ->> 'message'), 'none') as text
     from webhook_deliveries group by state`,
  )
  return `Deliveries: ${rows.map(({ text }) => text).join('; ')}`
}
