import fc from 'fast-check'
import { checkResponse, type FuzzAnswer } from './check-response.ts'
import { type FuzzRequest, requestTo } from './requests.ts'
import type { FuzzRoute } from './routes.ts'
import type { FuzzWorld } from './world.ts'

export interface Finding {
  fault: string
  route: string
  /** For reproduction: `METHOD url`, headers and body. */
  example: string
}

export interface FuzzOutcome {
  cases: number
  /** One per route and fault, with the first request that caused it. */
  findings: Finding[]
  /** Responses by status. */
  statuses: Record<number, number>
  /** Routes with at least one successful response. */
  reached: Set<string>
}

export type Send = (world: FuzzWorld, request: SentRequest) => Promise<FuzzAnswer>
export type SentRequest = Pick<FuzzRequest, 'method' | 'url' | 'headers' | 'body' | 'route'>

/** Generates requests, spread evenly over the routes. The same seed generates the same requests. */
export function requestsFor(routes: FuzzRoute[], { seed, cases }: { seed: number; cases: number }): FuzzRequest[] {
  const each = Math.ceil(cases / routes.length)
  const perRoute = routes.map((route, index) => fc.sample(requestTo(route), { seed: seed + index, numRuns: each }))
  // Alternate between routes, so that changes by one affect the others.
  return Array.from({ length: each }, (_, round) => perRoute.map((requests) => requests[round]!)).flat().slice(0, cases)
}

export async function runFuzz(options: {
  routes: FuzzRoute[]
  seed: number
  cases: number
  send: Send
  /** A world is replaced after this many cases, since by then much of it is deleted. */
  casesAWorld: number
  makeWorld(number: number): Promise<FuzzWorld>
  onProgress?(done: number): void
}): Promise<FuzzOutcome> {
  const { send } = options
  const found = new Map<string, Finding>()
  const outcome = { cases: 0, statuses: {} as Record<number, number>, reached: new Set<string>() }
  let world: FuzzWorld | undefined
  for (const request of requestsFor(options.routes, options)) {
    const number = outcome.cases / options.casesAWorld
    if (!world || Number.isInteger(number)) world = await options.makeWorld(number)
    const route = `${request.route.method} ${request.route.path}`
    let answer = await send(world, await filled(world, request))
    // Earlier requests may have ended the session or revoked the key.
    if (request.credentials === 'own' && answer.status === 401) {
      await world.comeAnew()
      answer = await send(world, await filled(world, request))
    }
    outcome.cases++
    outcome.statuses[answer.status] = (outcome.statuses[answer.status] ?? 0) + 1
    if (answer.status < 300) outcome.reached.add(route)
    for (const fault of checkResponse(request, answer)) {
      const key = `${route} ${fault}`
      if (!found.has(key)) found.set(key, { fault, route, example: shown(request, answer) })
    }
    if (outcome.cases % 500 === 0) options.onProgress?.(outcome.cases)
  }
  return { ...outcome, findings: [...found.values()] }
}

/** Fills the slots of a request and adds the credentials. */
async function filled(world: FuzzWorld, request: FuzzRequest): Promise<SentRequest> {
  const fill = (text: string) =>
    text.replaceAll(/«(own|other)\.(\w+)»/g, (_, whose: 'own' | 'other', name: keyof FuzzWorld['own']) => world[whose][name])
  const { route, method, credentials } = request
  const isKey = route.family === 'key'
  const good = isKey ? await world.key() : await world.session()
  const bad: Record<string, string> = isKey
    ? { authorization: 'Bearer qp_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', ...(await world.session()) }
    : { cookie: 'querypost_session=odd', ...(await world.key()) }
  const proof = { own: good, none: {}, bad }[credentials]
  const body = request.body === undefined ? undefined : stayingHere(fill(request.body))
  return { route, method, url: fill(request.url), headers: { ...request.headers, ...proof }, body }
}

/** Keeps the settings of databases from pointing to other servers. */
const stayingHere = (body: string) =>
  body.replaceAll(/"host":"[^"]*"/g, '"host":"127.0.0.1"').replaceAll(/"port":\d+/g, '"port":1')

function shown({ method, url, headers, body, credentials }: FuzzRequest, { status, body: answered }: FuzzAnswer): string {
  const sent = [`${method} ${url}`, JSON.stringify(headers), body?.slice(0, 600), `credentials: ${credentials}`]
  return `${sent.filter(Boolean).join('\n    ')}\n    → ${status} ${answered.slice(0, 300)}`
}
