import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { storeQuery, storeReference } from '../../testing/http/requests.ts'

let service: TestService
let shop: TestOrganization
beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

const always = {
  'x-request-id': expect.stringMatching(/^req_/),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'strict-transport-security': 'max-age=31536000',
}
const data = { ...always, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'", 'cache-control': 'no-store' }

test.each([
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['GET', '/api/openapi.json'],
  ['GET', '/api/me'],
  ['GET', '/api/queries'],
  ['GET', '/api/queries/not-a-uuid'],
  ['GET', '/app/api/session'],
  ['POST', '/app/api/session'],
  ['GET', '/nowhere'],
  ['GET', '/%ZZ'],
  ['HEAD', '/api/queries'],
] as const)('%s %s: data may not be framed, sniffed or kept', async (method, url) => {
  for (const answer of [await shop.admin.api(method, url), await service.app.inject({ method, url })]) {
    expect(answer.headers).toMatchObject(data)
  }
})

test('pages have the same headers, with a policy that allows only own files and nothing inline', async () => {
  const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
  for (const url of [`/q/${shortId}`, '/q/unknown', '/docs/errors']) {
    const { headers } = await service.app.inject(url)
    expect(headers).toMatchObject(always)
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'.*frame-ancestors 'none'/)
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/)
  }
})

test('sends no CORS headers', async () => {
  const answer = await service.app.inject({ url: '/api/me', headers: { origin: 'https://evil.test' } })
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
})
