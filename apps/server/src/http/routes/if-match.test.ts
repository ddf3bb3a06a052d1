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

const savedQuery = () => ({ title: 'Seven', sql: 'select 7', analyticalDatabaseConfigId: shop.databaseId })

async function saveQuery(): Promise<{ shortId: string; version: number }> {
  return (await shop.admin.api('POST', '/api/references', savedQuery())).json()
}

/** Everything that programs change without a counted version. */
const objects = {
  folders: {
    make: async () => ({ name: `Folder ${Math.random()}` }),
    change: { method: 'PATCH', body: async () => ({ name: `Renamed ${Math.random()}` }) },
  },
  automations: {
    make: async () => ({ name: 'Daily', instructions: 'Tell.', references: [(await saveQuery()).shortId] }),
    change: { method: 'PATCH', body: async () => ({ enabled: false }) },
  },
  'webhook-endpoints': {
    make: async () => ({ url: 'https://hooks.example/7', eventTypes: ['automation.run.failed'] }),
    change: { method: 'PATCH', body: async () => ({ description: 'Sevens' }) },
  },
  'question-sets': {
    make: async () => ({ name: `Set ${Math.random()}`, questions: [question()] }),
    change: { method: 'PUT', body: async () => ({ name: `Other ${Math.random()}`, questions: [question()] }) },
  },
} as const
const question = () => ({
  text: 'How many?',
  databaseId: shop.databaseId,
  expectedSql: 'select 7',
  expectedRows: null,
  isOrdered: false,
  tolerance: 0,
})

test.each(Object.entries(objects))('%s: a change based on a stale version is rejected with the current one', async (name, { make, change }) => {
  const created = await shop.admin.api('POST', `/api/${name}`, await make())
  expect(created.statusCode, created.body).toBe(201)
  const { id, version } = created.json<{ id: string; version: string }>()
  expect(created.headers['etag']).toBe(`"${version}"`)
  const url = `/api/${name}/${id}`
  const send = async (method: 'PATCH' | 'PUT' | 'DELETE', ifMatch: string | undefined) =>
    shop.admin.api(method, url, method === 'DELETE' ? undefined : await change.body(), ifMatch === undefined ? {} : { 'if-match': ifMatch })

  expectRefusal(await send(change.method, version), 'invalid_request', { details: [{ path: 'if-match', message: expect.any(String) }] })
  const changed = await send(change.method, `"${version}"`)
  expect(changed.statusCode, changed.body).toBe(200)
  const current = changed.json<{ version: string }>().version
  expect(current).not.toBe(version)
  expect(changed.headers['etag']).toBe(`"${current}"`)

  for (const method of [change.method, 'DELETE'] as const) {
    const stale = await send(method, `"${version}"`)
    expectRefusal(stale, 'version_conflict')
    expect(stale.json()).toMatchObject({ currentVersion: current })
  }
  expect((await send(change.method, '*')).statusCode).toBe(200)
  expect((await send('DELETE', undefined)).statusCode).toBe(200)
})

test('a saved query: content and change feed change together or not at all, based on its version', async () => {
  const { shortId, version } = await saveQuery()
  const url = `/api/references/${shortId}`
  const patch = (body: object, ifMatch?: number) =>
    shop.admin.api('PATCH', url, body, ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` })
  expect(version).toBe(1)
  expect((await shop.admin.api('GET', url)).headers['etag']).toBe('"1"')

  const changed = await patch({ title: 'Eight', publishesChanges: true }, 1)
  expect(changed.json()).toMatchObject({ title: 'Eight', publishesChanges: true, version: 2 })
  expect(changed.headers['etag']).toBe('"2"')
  for (const body of [{ title: 'Nine' }, { publishesChanges: false }]) {
    const stale = await patch(body, 1)
    expectRefusal(stale, 'version_conflict')
    expect(stale.json()).toMatchObject({ currentVersion: '2' })
  }

  expectRefusal(await patch({ title: 'Nine', publishesChanges: false, keyColumns: ['n'] }), 'changes_not_published')
  expect((await shop.admin.api('GET', url)).json()).toMatchObject({ title: 'Eight', version: 2 })

  expectRefusal(await shop.admin.api('DELETE', url, undefined, { 'if-match': '"1"' }), 'version_conflict')
  expect((await shop.admin.api('DELETE', url, undefined, { 'if-match': '"2"' })).statusCode).toBe(200)
})

test('a metric or board with a stale version names the current one', async () => {
  const board = (await shop.admin.api('POST', '/api/boards', { title: 'Numbers' })).json<{ shortId: string }>()
  const stale = await shop.admin.api('PATCH', `/api/boards/${board.shortId}`, { title: 'Other' }, { 'if-match': '"7"' })
  expectRefusal(stale, 'version_conflict')
  expect(stale.json()).toMatchObject({ currentVersion: '1' })

  const definition = { kind: 'sql', databaseId: shop.databaseId, sql: 'count(*)' }
  const metric = { name: 'Orders', description: '', unit: null, synonyms: [], ownerId: null, definition }
  const { id } = (await shop.admin.api('POST', '/api/knowledge/metrics', metric)).json<{ id: string }>()
  const staleMetric = await shop.admin.api('PUT', `/api/knowledge/metrics/${id}`, metric, { 'if-match': '"7"' })
  expectRefusal(staleMetric, 'version_conflict')
  expect(staleMetric.json()).toMatchObject({ currentVersion: '1' })
})

test('a metric is deleted only in the version that the caller has read', async () => {
  const definition = { kind: 'sql', databaseId: shop.databaseId, sql: 'select 7' }
  const { id } = (await shop.admin.api('POST', '/api/knowledge/metrics', { name: 'Sevens', definition })).json<{ id: string }>()
  const url = `/api/knowledge/metrics/${id}`
  await shop.admin.api('PUT', url, { name: 'Eights', definition }, { 'if-match': '"1"' })
  expectRefusal(await shop.admin.api('DELETE', url, undefined, { 'if-match': '"1"' }), 'version_conflict')
  expect((await shop.admin.api('DELETE', url, undefined, { 'if-match': '"2"' })).statusCode).toBe(200)
})
