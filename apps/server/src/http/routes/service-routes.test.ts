import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../build-app.ts'
import { makeMetrics } from '../../domain/metrics.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import { endOf, expectRefusal, storeQuery } from '../../../testing/http/requests.ts'

let service: TestService
let shop: TestOrganization
beforeAll(async () => {
  service = await startTestService('postgres')
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

const queryApi = { state: 'active', sunset: null } as const
const appWith = (change: Partial<Parameters<typeof buildApp>[0]>) =>
  buildApp({ services: service.services, queryApi, metrics: makeMetrics(), logger: silentLog, ...change })

test('healthz: the process is alive', async () => {
  const answer = await service.app.inject('/healthz')
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }])
})

describe('readyz', () => {
  test('200 when the service can serve requests', async () => {
    const answer = await service.app.inject('/readyz')
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ready' }])
  })

  test.each(storeKinds)('503 when the store (%s) is down, while healthz still succeeds', async (kind) => {
    const { db, close } = await openTestStore(kind, { isNew: true })
    await close()
    const app = await appWith({ services: { ...service.services, db } })
    const answer = await app.inject('/readyz')
    expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'store unreachable' }])
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    await app.close()
  })

  test('503 as soon as it begins to stop, while requests are still served', async () => {
    const app = await appWith({})
    const asked: unknown[] = []
    app.addHook('preClose', async () => {
      for (const url of ['/readyz', '/healthz']) {
        const answer = await fetch(address + url)
        asked.push([answer.status, await answer.json()])
      }
    })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    await app.close()
    expect(asked).toEqual([
      [503, { status: 'stopping' }],
      [200, { status: 'ok' }],
    ])
  })
})

test('a connection that is busy when stopping begins is closed after its response', async () => {
  const app = await appWith({})
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  app.addHook('preHandler', () => (begin(), released))
  app.addHook('preClose', async () => release())
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const asked = fetch(`${address}/healthz`)
  await begun
  const closed = app.close()
  expect((await asked).headers.get('connection')).toBe('close')
  await closed
})

test('metrics: request and run histograms, with routes and statuses but no ids', async () => {
  const { id } = await storeQuery(shop, 'select n from numbers')
  await endOf(service, shop, shop.admin.api('POST', `/api/queries/${id}/refresh`))
  await service.app.inject('/nowhere/at/all')
  const answer = await service.app.inject('/metrics')
  expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  const line = (start: string) => answer.body.split('\n').find((each) => each.startsWith(start))
  const refreshed = '{method="POST",route="/api/queries/:queryId/refresh",status="202"}'
  expect(line(`querypost_http_request_duration_seconds_count${refreshed}`)).toMatch(/ 1$/)
  expect(answer.body).toMatch(/querypost_http_request_duration_seconds_count\{method="GET",route="unknown",status="404"\} 1/)
  expect(line('querypost_run_duration_seconds_count{status="completed"}')).toMatch(/ 1$/)
  expect(line('querypost_result_rows_total')).toMatch(/ 10$/)
  expect(answer.body).toMatch(/querypost_run_duration_seconds_bucket\{le="0.01",status="completed"\}/)
  expect(answer.body).not.toContain(id)
})

test('a worker serves only health checks and metrics', async () => {
  const app = await appWith({ isOnlyForOperator: true })
  expect((await app.inject('/healthz')).statusCode).toBe(200)
  expect((await app.inject('/metrics')).statusCode).toBe(200)
  const headers = { authorization: `Bearer ${shop.admin.apiKey}` }
  expectRefusal(await app.inject({ url: '/api/queries', headers }), 'route_not_found')
  expectRefusal(await app.inject({ url: '/app/api/session', headers }), 'route_not_found')
  await app.close()
})
