import { readdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { callApi } from '../api/caller.ts'
import { readKb } from '../api/peak-memory.ts'
import { apiKey, type Service } from '../api/service.ts'
import { type PublishedEvent, startPublisher } from '../delivery/publisher.ts'
import { makeWorld, type World } from '../delivery/world.ts'
import { type Measurement, report } from '../report.ts'
import { judgeSoak, soakHeads, soakLine, type SoakSample } from './judge-soak.ts'

const minutesDefault = 60
const samplesWanted = 60
const endpointCount = 8
const eventsPerSecond = 50
const requestsAtOnce = 4
const pauseMs = 100
/** A worker is killed after each of so many intervals. */
const intervalsPerKill = 5
const arriveWithinMs = 60_000

/** Load for an hour: events, refreshes and lists, while a worker is killed again and again. Nothing may grow, and no event may be lost. */
export async function benchSoak(parameters: string[]): Promise<void> {
  const { values } = parseArgs({ args: parameters, options: { minutes: { type: 'string', default: String(minutesDefault) } } })
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) throw new Error('--minutes must be a number above 0.')
  const begun = { at: new Date(), load: loadavg()[0]! }
  const world = await makeWorld()
  try {
    const { samples, published, killCount } = await soak(world, (minutes * 60_000) / samplesWanted)
    const measurements = [...judgeSoak(samples), await measureLost(world, published, killCount)]
    const title = `${minutes} minutes of load, with a worker killed ${killCount} times`
    await report({ name: 'soak', title, measurements, begun, isWhole: minutes === minutesDefault })
  } finally {
    await world.close()
  }
}

async function soak(world: World, intervalMs: number) {
  const endpoints = await world.addEndpoints(endpointCount)
  const publisher = startPublisher()
  world.atEnd(publisher.stop)
  const service = await world.startProcess('all')
  let worker = await world.startProcess('worker')
  const samples: SoakSample[] = []
  const published: PublishedEvent[] = []
  let killCount = 0
  console.log(soakHeads.join('  '))
  for (let interval = 1; interval <= samplesWanted; interval += 1) {
    const untilMs = performance.now() + intervalMs
    const [events] = await Promise.all([
      publisher.ask({
        databaseUrl: world.postgres.url,
        how: 'ours',
        endpoints: endpoints.map(({ id, organizationId }) => ({ id, organizationId })),
        perSecond: eventsPerSecond,
        durationMs: intervalMs,
      }),
      requestUntil(service, untilMs),
    ])
    published.push(...events)
    samples.push(await takeSample(world, service, (interval * intervalMs) / 60_000))
    console.log(soakLine(samples.at(-1)!))
    if (interval % intervalsPerKill === 0) {
      process.kill(worker.pid, 'SIGKILL')
      killCount += 1
      worker = await world.startProcess('worker')
    }
  }
  return { samples, published, killCount }
}

/** Refreshes queries and reads lists, a few requests at a time. */
async function requestUntil(service: Service, untilMs: number): Promise<void> {
  const { items } = await callApi<{ items: { id: string }[] }>(service, '/api/queries?limit=20')
  const one = async (first: number) => {
    for (let number = first; performance.now() < untilMs; number += 1) {
      const url = `http://127.0.0.1:${service.port}/api/queries/${items[number % items.length]!.id}/refresh`
      const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${apiKey}` } })
      // 409: the query is still running.
      if (!answer.ok && answer.status !== 409) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
      await callApi(service, '/api/references?limit=20')
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, (_, index) => one(index)))
}

async function takeSample({ sql }: World, { pid }: Service, minute: number): Promise<SoakSample> {
  const { rows } = await sql.query<Record<'connections' | 'tableBytes' | 'indexBytes' | 'rowCount', string>>(`
    select (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
      sum(pg_table_size(oid)) as "tableBytes", sum(pg_indexes_size(oid)) as "indexBytes",
      (select count(*) from webhook_deliveries) + (select count(*) from webhook_events) + (select count(*) from runs) as "rowCount"
    from pg_class left join pg_inherits on inhrelid = oid
    where coalesce(inhparent, oid) = any ('{webhook_deliveries, webhook_events, runs}'::regclass[])`)
  const { connections, tableBytes, indexBytes, rowCount } = rows[0]!
  return {
    minute,
    memoryMb: readKb(pid, 'VmRSS') / 1024,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    connections: Number(connections),
    tableBytesPerRow: Number(tableBytes) / Number(rowCount),
    indexBytesPerRow: Number(indexBytes) / Number(rowCount),
  }
}

async function measureLost(world: World, published: PublishedEvent[], killCount: number): Promise<Measurement> {
  const untilMs = performance.now() + arriveWithinMs
  let lost = published.length
  while (lost > 0 && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { arrivals } = await world.receivers.ask({ act: 'report' })
    const arrived = new Set(arrivals.eventIds)
    lost = published.filter(({ eventId }) => !arrived.has(eventId)).length
  }
  return {
    what: `Events that did not arrive, of ${published.length.toLocaleString('en-US')}`,
    note: `a worker was killed ${killCount} times`,
    unit: 'events',
    ours: lost,
    goal: { text: '0', isMet: lost === 0 },
  }
}
