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

type Variant = 'batched' | 'plain'

const rounds = 5
const connections = 32
const durationMs = 800
/** The commit rate of a busy installation. The embedded store shares its one thread with the requests. */
const writesPerSecond = { PostgreSQL: 400, 'embedded store': 100 } as const
type StoreName = keyof typeof writesPerSecond

interface Contestant {
  service: Service
  statements(): Promise<number>
}

interface Figures extends LoadFigures {
  statementsPerRequest: number
  /** CPU time of the service and of PostgreSQL, including everything else it does. */
  cpuMsPerRequest: number
  writesPerSecond: number
}

/** Measures the benefit of batched lookups, with an idle store and with one under writes. */
export async function measureLookups(world: World): Promise<Measurement[]> {
  return [
    ...(await measureStore(world, 'PostgreSQL', world.databaseUrl)),
    ...(await measureStore(world, 'embedded store', undefined)),
  ]
}

const routes = ['/api/me', '/api/queries/:id', '/api/queries/refs/:shortId']

async function measureStore(world: World, store: StoreName, databaseUrl: string | undefined): Promise<Measurement[]> {
  const services: Service[] = []
  const generator = startGenerator()
  const writer = startWriteLoad()
  const { rows } = await world.sql('select pg_backend_pid() as pid')
  const postmaster = parentOf((rows[0] as { pid: number }).pid)

  /** Sends requests to a service, with concurrent writes if `writes` is given. */
  async function measure({ service, statements }: Contestant, route: string, writes: number): Promise<Figures> {
    const { id, shortId, analyticalDatabaseConfigId } = await findQuery(service)
    const message = requestMessage({ path: route.replace(':id', id).replace(':shortId', shortId), key: apiKey })
    const cpuSeconds = () => secondsOf(service.pid) + (databaseUrl ? secondsOfFamily(postmaster) : 0)
    const target = databaseUrl === undefined ? { port: service.port, analyticalDatabaseConfigId } : { databaseUrl }
    if (writes > 0) await writer.ask({ kind: 'start', perSecond: writes, ...target })
    const before = { statements: await statements(), cpuSeconds: cpuSeconds() }
    const figures = await generator.ask({ port: service.port, message, connections, durationMs })
    const after = { cpuSeconds: cpuSeconds(), statements: await statements() }
    return {
      ...figures,
      statementsPerRequest: (after.statements - before.statements) / figures.requests,
      cpuMsPerRequest: ((after.cpuSeconds - before.cpuSeconds) * 1000) / figures.requests,
      writesPerSecond: writes > 0 ? await writer.ask({ kind: 'stop' }) : 0,
    }
  }

  try {
    const batched = await startVariant(world, 'batched', databaseUrl)
    services.push(batched.service)
    const plain = await startVariant(world, 'plain', databaseUrl)
    services.push(plain.service)
    const measurements: Measurement[] = []
    for (const writes of [0, writesPerSecond[store]]) {
      for (const route of routes) {
        const figures = await takeTurns(rounds, {
          batched: () => measure(batched, route, writes),
          plain: () => measure(plain, route, writes),
        })
        const committed = median(Object.values(figures).flat().map((each) => each.writesPerSecond))
        const load = writes > 0 ? `${Math.round(committed)} commits/s` : 'no writes'
        measurements.push(compare(`GET ${route}, ${store}, ${load}`, figures))
      }
    }
    return measurements
  } finally {
    generator.stop()
    writer.stop()
    for (const service of services) await service.stop()
  }
}

function compare(what: string, { batched, plain }: Record<Variant, Figures[]>): Measurement {
  return {
    what: `${what}, batched lookups`,
    note: `${about(batched)}; single lookups ${about(plain)}`,
    unit: 'requests/s',
    ours: figureOf(batched, 'requestsPerSecond'),
    ceiling: { what: 'single lookups', value: figureOf(plain, 'requestsPerSecond') },
  }
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
