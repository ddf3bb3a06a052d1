import { startCeiling } from '../load/ceiling.ts'
import { openConnection, requestMessage } from '../load/connection.ts'
import { figureOf, type LoadFigures, startGenerator } from '../load/generator.ts'
import { type Measurement, ratioGoal } from '../report.ts'
import { takeTurns } from '../take-turns.ts'
import { refreshToCompletedMs } from './refresh.ts'
import { apiKey } from './service.ts'
import { tenThousandRowsSql, type World } from './world.ts'

const rounds = 5
/** The connections of one dashboard, and of several. */
const loads = [8, 32]
const durationMs = 1200

/** Measures the result route with ten thousand rows against servers that only send the same compressed bytes. */
export async function measureResultRoute(world: World): Promise<Measurement[]> {
  const { port } = world.service
  const queryId = await world.storeQuery(tenThousandRowsSql)
  await refreshToCompletedMs(world.service, queryId)
  const request = { path: `/api/queries/${queryId}/result`, key: apiKey, headers: { 'accept-encoding': 'gzip' } }
  const { body, headers } = await storedResult(port, request)
  const plain = await startCeiling({ kind: 'node:http', headers, body })
  const socket = await startCeiling({ kind: 'socket', headers, body })
  const generator = startGenerator()
  const message = requestMessage(request)
  const lines: Measurement[] = []
  for (const connections of loads) {
    const load = (port: number) => () => generator.ask({ port, message, connections, durationMs })
    const figures = await takeTurns(rounds, { ours: load(port), http: load(plain.port), client: load(socket.port) })
    lines.push(...measurements({ ...figures, sizeBytes: body.length, connections }))
  }
  for (const child of [plain, socket, generator]) child.stop()
  return lines
}

function measurements(options: {
  ours: LoadFigures[]
  http: LoadFigures[]
  client: LoadFigures[]
  sizeBytes: number
  connections: number
}): Measurement[] {
  const { ours, http, client, sizeBytes, connections } = options
  const what = `GET …/result, 10,000 rows, ${Math.round(sizeBytes / 1024)} KiB gzip, ${connections} connections`
  return [
    {
      what,
      note: `client busy ${busy(ours)} of a core with ours, ${busy(http)} with the other`,
      unit: 'requests/s',
      ours: perSecond(ours),
      ceiling: { what: 'node:http sending the same bytes', value: perSecond(http) },
      goal: ratioGoal({ ours: perSecond(ours), ceiling: perSecond(http), atLeast: 0.8 }),
    },
    {
      what: 'the same, as far as the client can go',
      note: `client busy ${busy(client)}`,
      unit: 'requests/s',
      ours: perSecond(ours),
      ceiling: { what: 'a bare socket sending the same bytes', value: perSecond(client) },
    },
  ]
}

async function storedResult(port: number, { path, key }: { path: string; key: string }) {
  const connection = await openConnection({ port, keepsBodies: true })
  const answer = await connection.request(requestMessage({ path, key, headers: { 'accept-encoding': 'gzip' } }))
  connection.close()
  if (answer.status !== 200) throw new Error(`The result route answered ${answer.status}.`)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' }
  return { body: answer.body, headers }
}

const perSecond = (figures: LoadFigures[]) => figureOf(figures, 'requestsPerSecond')
const busy = (figures: LoadFigures[]) => `${Math.round(figureOf(figures, 'clientCores') * 100)} %`
