import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import fastify, { type FastifyInstance } from 'fastify'
import { buildApp } from './build-app.ts'
import { makeMetrics } from '../domain/metrics.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { lazyCompilers } from './lazy-schemas.ts'

let service: TestService
let app: FastifyInstance

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
})
afterAll(async () => {
  await app?.close()
  await service.stop()
})

test('every schema compiles', async () => {
  const { services } = service
  const queryApi = { state: 'active', sunset: null } as const
  app = await buildApp({ services, queryApi, metrics: makeMetrics(), logger: silentLog, compilesAtStart: true })
  await expect(app.ready()).resolves.toBeDefined()
})

test('compiles a schema at its first request, and rejects every invalid request', async () => {
  const lazy = fastify({ schemaController: { compilersFactory: lazyCompilers }, ajv: { customOptions: { coerceTypes: false } } })
  const body = Type.Object({ n: Type.Integer() })
  const shown = Type.Object({ n: Type.Integer() })
  lazy.post('/sound', { schema: { body, response: { 200: shown } } }, async (request) => ({ ...(request.body as object), secret: 1 }))
  lazy.post('/faulty', { schema: { body: { type: 'no such type' } } }, async () => 'never')
  await lazy.ready()
  const send = async (url: string, payload: object) => {
    const { statusCode, body: text } = await lazy.inject({ method: 'POST', url, payload })
    return { statusCode, answer: JSON.parse(text) as { message?: string } }
  }
  for (const [n, message] of [['one', 'body/n must be integer'], [null, 'body/n must be integer'], [undefined, "body must have required property 'n'"]] as const) {
    expect(await send('/sound', { n })).toMatchObject({ statusCode: 400, answer: { message } })
    expect(await send('/sound', { n: 1 })).toEqual({ statusCode: 200, answer: { n: 1 } })
  }
  expect(await send('/faulty', {})).toMatchObject({ statusCode: 500 })
  await lazy.close()
})
