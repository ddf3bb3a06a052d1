import { get } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentOf, secondsOf, secondsOfFamily } from '../delivery/processor-time.ts'
import { requestMessage } from '../load/connection.ts'
import { figureOf, type LoadFigures, startGenerator } from '../load/generator.ts'
import type { Measurement } from '../report.ts'
import { median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { callApi } from './caller.ts'
import { apiKey, type Service, startService } from './service.ts'
import type { World } from './world.ts'
import { startWriteLoad } from './write-load.ts'

const variants = { remembered: 'batches and moments', batched: 'batches', plain: 'single lookups' } as const
type Variant = keyof typeof variants
const names = Object.keys(variants) as Variant[]

const rounds = 5
const connections = 32
const durationMs = 800
/** As much as a busy installation commits; the embedded store shares its one thread with the requests. */
const writesPerSecond = { PostgreSQL: 400, 'embedded store': 100 } as const
type StoreName = keyof typeof writesPerSecond

interface Contestant {
  service: Service
  statements(): Promise<number>
}

interface Figures extends LoadFigures {
  statementsPerRequest: number
  /** Of the service, and of PostgreSQL with all that it does at the time. */
  cpuMsPerRequest: number
  writesPerSecond: number
}

/** What batches and moments are worth, in a store that rests and in one that others write to. */
export async function measureLookups(world: World): Promise<Measurement[]> {
  return [
    ...(await measureStore(world, 'PostgreSQL', world.databaseUrl)),
    ...(await measureStore(world, 'embedded store', undefined)),
  ]
}

async function measureStore(world: World, store: StoreName, databaseUrl: string | undefined): Promise<Measurement[]> {
  const contestants: Partial<Record<Variant, Contestant>> = {}
  const generator = startGenerator()
  const writer = startWriteLoad()
  const { rows } = await world.sql('select pg_backend_pid() as pid')
  const postmaster = parentOf((rows[0] as { pid: number }).pid)
  try {
    for (const variant of names) contestants[variant] = await startVariant(world, variant, databaseUrl)
    const measurements: Measurement[] = []
    for (const isWritten of [false, true]) {
      for (const route of ['/api/me', '/api/queries/:id', '/api/queries/refs/:shortId']) {
        const measure = (variant: Variant) => async (): Promise<Figures> => {
          const { service, statements } = contestants[variant]!
          const query = await findQuery(service)
          const routePath = route.replace(':id', query.id).replace(':shortId', query.shortId)
          const message = requestMessage({ path: routePath, key: apiKey })
          const { analyticalDatabaseConfigId } = query
          const order = { port: service.port, analyticalDatabaseConfigId, perSecond: writesPerSecond[store], ...(databaseUrl && { databaseUrl }) }
          if (isWritten) await writer.ask({ kind: 'start', ...order })
          const cpuSeconds = () => secondsOf(service.pid) + (databaseUrl ? secondsOfFamily(postmaster) : 0)
          const before = { statements: await statements(), cpuSeconds: cpuSeconds() }
          const figures = await generator.ask({ port: service.port, message, connections, durationMs })
          const cpuMs = (cpuSeconds() - before.cpuSeconds) * 1000
          const made = (await statements()) - before.statements
          return {
            ...figures,
            statementsPerRequest: made / figures.requests,
            cpuMsPerRequest: cpuMs / figures.requests,
            writesPerSecond: isWritten ? await writer.ask({ kind: 'stop' }) : 0,
          }
        }
        const turns = Object.fromEntries(names.map((name) => [name, measure(name)])) as Record<Variant, () => Promise<Figures>>
        const figures = await takeTurns(rounds, turns)
        const writes = Math.round(median(Object.values(figures).flat().map((each) => each.writesPerSecond)))
        const load = isWritten ? `${writes} commits/s` : 'no writes'
        measurements.push(...compare(`GET ${route}, ${store}, ${load}`, figures))
      }
    }
    return measurements
  } finally {
    generator.stop()
    writer.stop()
    for (const contestant of Object.values(contestants)) await contestant.service.stop()
  }
}

/** Each against the next simpler one. */
function compare(what: string, figures: Record<Variant, Figures[]>): Measurement[] {
  return names.slice(0, -1).map((name, place) => {
    const simpler = names[place + 1]!
    return {
      what: `${what}: ${variants[name]}`,
      note: `${about(figures[name])}; ${variants[simpler]} ${about(figures[simpler])}`,
      unit: 'requests/s',
      ours: figureOf(figures[name], 'requestsPerSecond'),
      ceiling: { what: variants[simpler], value: figureOf(figures[simpler], 'requestsPerSecond') },
    }
  })
}

function about(rounds: Figures[]): string {
  const statements = median(rounds.map(({ statementsPerRequest }) => statementsPerRequest))
  const cpuMs = median(rounds.map(({ cpuMsPerRequest }) => cpuMsPerRequest))
  return `p50 ${figureOf(rounds, 'p50Ms').toFixed(1)}, p99 ${figureOf(rounds, 'p99Ms').toFixed(1)} ms, ${statements.toFixed(2)} statements and ${cpuMs.toFixed(2)} ms CPU a request`
}

async function startVariant(world: World, variant: Variant, databaseUrl: string | undefined): Promise<Contestant> {
  const folder = path.join(world.folder, `lookups-${databaseUrl ? 'postgres' : 'embedded'}-${variant}`)
  const countSocket = `${folder}.sock`
  const preload = fileURLToPath(new URL('./lookup-variants/preload.ts', import.meta.url))
  const service = await startService({
    dataDirectory: folder,
    ...(databaseUrl && { databaseUrl }),
    environment: { NODE_OPTIONS: `--import=${preload}`, LOOKUP_VARIANT: variant, LOOKUP_COUNT_SOCKET: countSocket },
  })
  return { service, statements: async () => Number(await readSocket(countSocket)) }
}

function readSocket(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ socketPath, path: '/' }, (response) => {
      let text = ''
      response.on('data', (piece) => (text += String(piece)))
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })
}

interface FoundQuery {
  id: string
  shortId: string
  analyticalDatabaseConfigId: string
}

async function findQuery(service: Service): Promise<FoundQuery> {
  const { items } = await callApi<{ items: { shortId: string; currentQuery: { id: string } }[] }>(service, '/api/queries/refs?limit=1')
  const [{ shortId, currentQuery }] = items as [(typeof items)[0]]
  const query = await callApi<{ id: string; analyticalDatabaseConfigId: string }>(service, `/api/queries/${currentQuery.id}`)
  return { ...query, shortId }
}
