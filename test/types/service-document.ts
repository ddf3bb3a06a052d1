import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { makeMetrics } from '@querypost/server/documentation'
import { systemClock } from '@querypost/server/ports'
import { buildApp, makeServices } from '@querypost/server/service'
import { openEmbedded } from '@querypost/server/store'
import { fakeNetwork, seededRandom, silentLog } from '@querypost/server/testing'
import type { FastifyInstance } from 'fastify'
import type { OpenapiDocument } from './openapi-document.ts'

/** The OpenAPI document of this repository's service. */
export const readServiceDocument = () =>
  withService(async (app) => (await app.inject('/api/openapi.json')).json<OpenapiDocument>())

/** Builds the service for the duration of `use`. It does not listen, and the store stays empty. */
export async function withService<Read>(use: (app: FastifyInstance) => Promise<Read>): Promise<Read> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'querypost-types-'))
  const store = await openEmbedded({ pglite: await PGlite.create() })
  const services = await makeServices({
    clock: systemClock,
    random: seededRandom('types'),
    log: silentLog,
    network: fakeNetwork(),
    agentFetch: () => Promise.reject(new Error('Fetching is not available here.')),
    mail: null,
    oidc: null,
    store,
    secretKey: Buffer.alloc(32),
    baseUrl: 'http://localhost:3000',
    dataDirectory,
    resultTtlHours: 24,
  })
  const queryApi = { state: 'active', sunset: null } as const
  const app = await buildApp({ services, queryApi, metrics: makeMetrics(), logger: silentLog })
  const read = await use(app)
  await app.close()
  await services.closeProcesses()
  await store.close()
  await rm(dataDirectory, { recursive: true, force: true })
  return read
}
