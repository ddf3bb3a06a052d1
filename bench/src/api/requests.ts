import path from 'node:path'
import { startCeiling } from '../load/ceiling.ts'
import { openConnection, requestMessage } from '../load/connection.ts'
import { figureOf, type LoadFigures, startGenerator } from '../load/generator.ts'
import { type Measurement, ratioGoal } from '../report.ts'
import { median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { callApi } from './caller.ts'
import { apiKey, type Service, startService } from './service.ts'
import type { World } from './world.ts'
import { startWriteLoad } from './write-load.ts'

const rounds = 4
const connections = 32
const durationMs = 1200
/** The commit rate of a busy installation, during the load on both sides. */
const writesPerSecond = 200

/** Measures requests per second of two small routes on each store, against a bare Fastify route that sends the same bytes. */
export async function measureRequests(world: World): Promise<Measurement[]> {
  const embedded = await startService({ dataDirectory: path.join(world.folder, 'embedded') })
  try {
    return [
      ...(await measureStore('PostgreSQL', world.service)),
      ...(await measureStore('PostgreSQL', world.service, world.databaseUrl)),
      ...(await measureStore('embedded store', embedded)),
    ]
  } finally {
    await embedded.stop()
  }
}

/** With `writeTo`, rows of that database are updated during the load. */
async function measureStore(store: string, service: Service, writeTo?: string): Promise<Measurement[]> {
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
    const writer = writeTo === undefined ? undefined : startWriteLoad()
    const load = (port: number) => async () => {
      await writer?.ask({ kind: 'start', perSecond: writesPerSecond, databaseUrl: writeTo! })
      const figures = await generator.ask({ port, message, connections, durationMs })
      return { ...figures, writesPerSecond: (await writer?.ask({ kind: 'stop' })) ?? 0 }
    }
    const turns = await takeTurns(rounds, { ours: load(service.port), ceiling: load(bare.port) })
    writer?.stop()
    generator.stop()
    bare.stop()
    const writes = (figures: (typeof turns)['ours']) =>
      writeTo === undefined ? '' : ` with ${Math.round(median(figures.map((each) => each.writesPerSecond)))} commits/s`
    const [ours, ceiling] = [figureOf(turns.ours, 'requestsPerSecond'), figureOf(turns.ceiling, 'requestsPerSecond')]
    measurements.push({
      what: `GET ${route}, ${store}, ${connections} connections${writes(turns.ours)}`,
      note: `${times(turns.ours)}; Fastify ${times(turns.ceiling)}${writes(turns.ceiling)}`,
      unit: 'requests/s',
      ours,
      ceiling: { what: 'bare Fastify route, same bytes', value: ceiling },
      ...(store === 'PostgreSQL' && { goal: ratioGoal({ ours, ceiling, atLeast: 0.6 }) }),
    })
  }
  return measurements
}

const times = (figures: LoadFigures[]) =>
  `p50 ${figureOf(figures, 'p50Ms').toFixed(1)} ms, p99 ${figureOf(figures, 'p99Ms').toFixed(1)} ms`
