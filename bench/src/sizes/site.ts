import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { makeMetrics } from '@querypost/server/documentation'
import { secureRandom, systemClock } from '@querypost/server/ports'
import { buildApp, makeServices } from '@querypost/server/service'
import type { Store } from '@querypost/server/store'
import { collectRoutes, fakeNetwork, silentLog } from '@querypost/server/testing'
import { apiKey, email } from './fill-store.ts'
import { type ListRoute, listRoutesOf, newId } from './list-routes.ts'

/** The service on a filled store, in this process and without workers, so that nothing else uses the store. */
export interface Site {
  store: Store
  services: Awaited<ReturnType<typeof makeServices>>
  lists: ListRoute[]
  /** The query with the most runs. */
  queryId: string
  /** Requests a route as the admin of the largest organization: with the key for `/api`, with the session for `/app/api`. */
  get(url: string): Promise<unknown>
  close(): Promise<void>
}

export const password = 'correct horse battery staple'

export async function openSite(store: Store): Promise<Site> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'querypost-sizes-'))
  const services = await makeServices({
    clock: systemClock,
    random: secureRandom,
    log: silentLog,
    network: fakeNetwork(),
    agentFetch: () => Promise.reject(new Error('Fetching is not available here.')),
    mail: null,
    oidc: null,
    store,
    secretKey: Buffer.alloc(32, 7),
    baseUrl: 'http://localhost:3000',
    dataDirectory,
    resultTtlHours: 24,
  })
  const queryApi = { state: 'active', sunset: null } as const
  const { built: app, routes } = await collectRoutes(() => buildApp({ services, queryApi, metrics: makeMetrics(), logger: silentLog }))
  const cookies = await signIn(app)
  return {
    store,
    services,
    lists: listRoutesOf(routes),
    queryId: await findBusiestQuery(store),
    async get(url) {
      const identity = url.startsWith('/api') ? { headers: { authorization: `Bearer ${apiKey}` } } : { cookies }
      const answer = await app.inject({ method: 'GET', url, ...identity })
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
      return answer.json()
    },
    async close() {
      await app.close()
      await services.closeProcesses()
      await store.close()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

async function signIn(app: FastifyInstance): Promise<Record<string, string>> {
  const answer = await app.inject({ method: 'POST', url: '/app/api/session', payload: { email, password } })
  if (answer.statusCode >= 300) throw new Error(`Sign-in answered ${answer.statusCode}: ${answer.body}`)
  return Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]))
}

async function findBusiestQuery({ db }: Store): Promise<string> {
  const reference = db.selectFrom('query_references').select('query_id').where('id', '=', newId('ref', 1))
  return (await reference.executeTakeFirstOrThrow()).query_id
}
