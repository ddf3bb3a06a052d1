import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../testing/http/requests.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'

let service: TestService
let shop: TestOrganization
beforeAll(async () => {
  service = await startTestService('pglite', { worker: false, apiLimits: { perKey: 3, perOrganization: 5 } })
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

test('programs see what is left, wait when nothing is, and pages are not limited', async () => {
  const limitsOf = ({ headers }: Awaited<ReturnType<typeof shop.admin.api>>) => [headers['ratelimit-limit'], headers['ratelimit-remaining'], headers['ratelimit-reset']]
  const get = () => shop.admin.api('GET', '/api/me')
  expect(limitsOf(await get())).toEqual(['3', '2', '20'])
  expect(limitsOf(await get())).toEqual(['3', '1', '40'])
  expect((await get()).statusCode).toBe(200)
  const refused = await get()
  expectRefusal(refused, 'too_many_requests', { message: /At most 3 requests a minute/ })
  expect([...limitsOf(refused), refused.headers['retry-after']]).toEqual(['3', '0', '60', '20'])
  expect((await shop.admin.page('GET', '/app/api/api-keys')).statusCode).toBe(200)

  const member = await shop.addPerson('member', 'member@limits.test')
  const others = await Promise.all([1, 2].map(() => member.api('GET', '/api/me')))
  expect(others.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 429])

  await service.clock.advance(20_000)
  expect((await get()).statusCode).toBe(200)
})
