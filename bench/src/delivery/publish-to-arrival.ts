import type { Child } from '../load/child.ts'
import { quantile } from '../statistics.ts'
import { clearDeliveries } from './backlog.ts'
import type { BenchEndpoint } from './endpoints.ts'
import type { PublishedEvent, PublishRequest } from './publisher.ts'
import type { Arrivals } from './receiver.ts'
import type { World } from './world.ts'

export interface ArrivalFigures {
  p50Ms: number
  p99Ms: number
  /** Measured from the acknowledgement of the commit. */
  fromCommitP50Ms: number
  fromCommitP99Ms: number
  commitP50Ms: number
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
    /** Called after the worker has started, before anything is published. */
    prepare?: () => Promise<void>
  },
): Promise<ArrivalFigures> {
  const { receivers } = world
  await receivers.ask({ act: 'forget' })
  await world.sql.query('checkpoint')
  const worker = await world.startProcess('worker')
  await options.prepare?.()
  const published = await options.publisher.ask({
    databaseUrl: world.postgres.url,
    organizationIds: options.endpoints.map(({ organizationId }) => organizationId),
    perSecond,
    durationMs: warmUpMs + options.durationMs,
  })
  const arrivals = await collect(world, published.filter(isOf(options.counting)))
  await worker.stop()
  await clearDeliveries(world.sql)
  await receivers.ask({ act: 'verify', secrets: world.secrets() })

  const arrivedMs = firstArrivals(arrivals)
  const publishedFromMs = published[0]!.begunMs + warmUpMs
  const counted = published.filter(isOf(options.counting)).filter(({ begunMs }) => begunMs >= publishedFromMs)
  const fromBegin = counted.map(({ eventId, begunMs }) => arrivedMs.get(eventId)! - begunMs)
  const fromCommit = counted.map(({ eventId, committedMs }) => arrivedMs.get(eventId)! - committedMs)
  return {
    p50Ms: quantile(fromBegin, 0.5),
    p99Ms: quantile(fromBegin, 0.99),
    fromCommitP50Ms: quantile(fromCommit, 0.5),
    fromCommitP99Ms: quantile(fromCommit, 0.99),
    commitP50Ms: quantile(counted.map(({ begunMs, committedMs }) => committedMs - begunMs), 0.5),
    arrivals,
    publishedFromMs,
    publishedToMs: published.at(-1)!.begunMs,
  }
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
