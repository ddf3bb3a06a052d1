import path from 'node:path'
import { startCeiling } from '../load/ceiling.ts'
import { openConnection, requestMessage } from '../load/connection.ts'
import { figureOf, type LoadFigures, startGenerator } from '../load/generator.ts'
import type { Measurement } from '../report.ts'
import { takeTurns } from '../take-turns.ts'
import { callApi } from './caller.ts'
import { apiKey, type Service, startService } from './service.ts'
import type { World } from './world.ts'

const rounds = 4
const connections = 32
const durationMs = 1200

/** Measures requests per second of two small routes on each store, against a bare Fastify route that sends the same bytes. */
export async function measureRequests(world: World): Promise<Measurement[]> {
  const embedded = await startService({ dataDirectory: path.join(world.folder, 'embedded') })
  try {
    return [
      ...(await measureStore('PostgreSQL', world.service)),
      ...(await measureStore('embedded store', embedded)),
    ]
  } finally {
    await embedded.stop()
  }
}

async function measureStore(store: string, service: Service): Promise<Measurement[]> {
  const { items } = await callApi<{ items: { shortId: string }[] }>(service, '/api/queries/refs?limit=1')
  const routes = { '/api/queries/refs/:shortId': `/api/queries/refs/${items[0]!.shortId}`, '/api/me': '/api/me' }
  const measurements: Measurement[] = []
  for (const [route, routePath] of Object.entries(routes)) {
    const message = requestMessage({ path: routePath, key: apiKey })
    const connection = await openConnection({ port: service.port, keepsBodies: true })
    const { body } = await connection.request(message)
    connection.close()
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const bare = await startCeiling({ kind: 'fastify', headers, body })
    const generator = startGenerator()
    const load = (port: number) => () => generator.ask({ port, message, connections, durationMs })
    const { ours, ceiling } = await takeTurns(rounds, { ours: load(service.port), ceiling: load(bare.port) })
    generator.stop()
    bare.stop()
    measurements.push({
      what: `GET ${route}, ${store}, ${connections} connections`,
      note: `${times(ours)}; Fastify ${times(ceiling)}`,
      unit: 'requests/s',
      ours: figureOf(ours, 'requestsPerSecond'),
      ceiling: { what: 'bare Fastify route, same bytes', value: figureOf(ceiling, 'requestsPerSecond') },
    })
  }
  return measurements
}

const times = (figures: LoadFigures[]) =>
  `p50 ${figureOf(figures, 'p50Ms').toFixed(1)} ms, p99 ${figureOf(figures, 'p99Ms').toFixed(1)} ms`
