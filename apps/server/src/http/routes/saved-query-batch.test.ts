import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../testing/http/requests.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'

let service: TestService
let shop: TestOrganization
beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

const query = (title: string, more: object = {}) => ({ title, sql: 'select 1', analyticalDatabaseConfigId: shop.databaseId, ...more })
const save = (items: object[], headers: Record<string, string> = {}) => shop.admin.api('POST', '/api/references/batch', { items }, headers)
const titles = async () => (await shop.admin.api('GET', '/api/references')).json<{ items: { title: string }[] }>().items.map(({ title }) => title)

test.each([{}, { 'idempotency-key': 'batch' }])('saves all queries or none, and names the one that cannot be saved, with the headers %j', async (headers) => {
  const before = await titles()
  const missing = query('Third', { folderId: 'folder_none' })
  expectRefusal(await save([query('First'), query('Second'), missing], headers), 'folder_not_found', { details: [{ path: '/items/2', message: expect.any(String) }] })
  const chart = query('Second', { visualization: { type: 'pie', jsxConfig: '<script />' } })
  const wrong = await save([query('First'), chart])
  expect(wrong.json()).toMatchObject({ code: 'invalid_request', details: [{ path: expect.stringMatching(/^\/items\/1\/visualization/) }] })
  expect(await titles()).toEqual(before)
})

test('returns the saved queries in the order of the request', async () => {
  const answer = await save([query('B'), query('A')])
  expect(answer.statusCode, answer.body).toBe(201)
  expect(answer.json()).toMatchObject({ items: [{ title: 'B', version: 1, shortId: expect.any(String) }, { title: 'A', version: 1 }] })
})

test('accepts 1 to 100 items', async () => {
  for (const count of [0, 101]) expectRefusal(await save(Array.from({ length: count }, () => query('Many'))), 'invalid_request', { details: [{ path: '/items', message: expect.any(String) }] })
})
