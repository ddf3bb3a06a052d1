import { afterAll, beforeAll, expect, test } from 'vitest'
import { ifMatch } from '../../../testing/http/board-requests.ts'
import { expectRefusal, storeQuery, storeReference } from '../../../testing/http/requests.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../testing/test-service.ts'

const url = 'https://git.example/blob/main'
const isNew = { id: null, expectedHash: null }
const fileOf = (kind: string) => `managed/${kind}`
const kinds = ['folder', 'query', 'board', 'automation', 'metric', 'question_set']

let service: TestService
let shop: TestOrganization
let admin: TestPerson
let ids: Record<string, string>
/** In the managed folder, but without a file. */
let stray: string

const apply = (body: object, person = admin) => person.api('POST', '/api/project/apply', body)
const marks = (given: string | null) => kinds.map((kind) => ({ kind, path: fileOf(kind), id: ids[kind]!, url: given === null ? null : `${given}/${fileOf(kind)}` }))
const managedUrl = async (kind: string, id: string, person = admin) =>
  (await person.page('GET', `/app/api/managed-items?kind=${kind}&id=${id}`)).json<{ items: { url: string }[] }>().items[0]?.url

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  admin = shop.admin
  const folder = `path:${fileOf('folder')}`
  const answer = await apply({
    folders: [{ path: fileOf('folder'), ...isNew, content: { name: 'Finance' } }],
    queries: [{ path: fileOf('query'), ...isNew, content: { title: 'Revenue', folder, database: 'Numbers', sql: 'select 1' } }],
    boards: [{ path: fileOf('board'), ...isNew, content: { title: 'Month', folder } }],
    automations: [{ path: fileOf('automation'), ...isNew, content: { name: 'Weekly', instructions: 'Tell.', queries: [`path:${fileOf('query')}`] } }],
    metrics: [{ path: fileOf('metric'), ...isNew, content: { name: 'Net revenue', database: 'Numbers', sql: 'select 1' } }],
    questionSets: [{ path: fileOf('question_set'), ...isNew, content: { name: 'Checks' } }],
  })
  const { items } = answer.json<{ items: { kind: string; id: string; hash: string }[] }>()
  ids = Object.fromEntries(items.map(({ kind, id }) => [kind, id]))
  stray = (await storeReference(shop, (await storeQuery(shop, 'select 2')).id)).shortId
  await admin.page('PATCH', `/app/api/references/${stray}`, { folderId: ids['folder'] })
  await apply({ managed: marks(url) })
})
afterAll(() => service.stop())

test('refuses every change of managed items outside of their files, and names the file', async () => {
  const { folder, query, board, automation, metric, question_set: set } = ids
  const definition = { kind: 'sql', databaseId: shop.databaseId, sql: 'select 2' }
  const refused: [kind: string, send: () => ReturnType<TestPerson['page']>][] = [
    ['folder', () => admin.page('PATCH', `/app/api/folders/${folder}`, { name: 'Mine' })],
    ['folder', () => admin.page('DELETE', `/app/api/folders/${folder}`)],
    ['folder', () => admin.page('POST', '/app/api/folders', { name: 'Inside', parentId: folder })],
    ['folder', () => admin.page('POST', '/app/api/boards', { title: 'Inside', folderId: folder })],
    ['folder', () => admin.api('POST', '/api/references', { title: 'Inside', sql: 'select 1', analyticalDatabaseConfigId: shop.databaseId, folderId: folder })],
    ['query', () => admin.page('PATCH', `/app/api/references/${query}`, { title: 'Mine' })],
    ['query', () => admin.page('DELETE', `/app/api/references/${query}?evenIfUsed=true`)],
    ['query', () => admin.page('POST', `/app/api/references/${query}/versions/1/restore`)],
    ['board', () => admin.page('PATCH', `/app/api/boards/${board}`, { title: 'Mine' }, ifMatch(1))],
    ['board', () => admin.page('DELETE', `/app/api/boards/${board}`, undefined, ifMatch(1))],
    ['board', () => admin.page('POST', `/app/api/boards/${board}/versions/1/restore`)],
    ['automation', () => admin.page('PATCH', `/app/api/automations/${automation}`, { enabled: false })],
    ['automation', () => admin.page('DELETE', `/app/api/automations/${automation}`)],
    ['metric', () => admin.page('PUT', `/app/api/knowledge/metrics/${metric}`, { name: 'Mine', definition, version: 1 })],
    ['metric', () => admin.page('DELETE', `/app/api/knowledge/metrics/${metric}`)],
    ['question_set', () => admin.page('PUT', `/app/api/question-sets/${set}`, { name: 'Mine', questions: [] })],
    ['question_set', () => admin.page('DELETE', `/app/api/question-sets/${set}`)],
  ]
  for (const [kind, send] of refused) expectRefusal(await send(), 'managed_by_files', { message: new RegExp(`${url}/${fileOf(kind)}`) })
  const moved = { items: [{ kind: 'reference', shortId: query, folderId: null }] }
  expectRefusal(await admin.page('POST', '/app/api/items/move', moved), 'invalid_request', {
    details: [{ path: '/items/0', message: expect.stringContaining('managed in Git') }],
  })
})

test('leaves alone what has no file: tags, other items in the folder, and a copy of a board', async () => {
  expect((await admin.page('PUT', `/app/api/references/${ids['query']}/tags`, { tags: ['weekly'] })).statusCode).toBe(200)
  expect((await admin.page('PATCH', `/app/api/references/${stray}`, { title: 'Stray' })).statusCode).toBe(200)
  const copy = (await admin.page('POST', `/app/api/boards/${ids['board']}/duplicate`)).json<{ folderId: string | null }>()
  expect(copy.folderId).toBeNull()
})

test('does not restore a deleted item into a managed folder', async () => {
  const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 3')).id)
  await apply({ managed: marks(null) })
  await admin.page('PATCH', `/app/api/references/${shortId}`, { folderId: ids['folder'] })
  await admin.page('DELETE', `/app/api/references/${shortId}`)
  await apply({ managed: marks(url) })
  expectRefusal(await admin.page('POST', `/app/api/references/${shortId}/restore`), 'managed_by_files')
})

test('files change managed items, and deleting one forgets its mark', async () => {
  const content = { title: 'Gone soon' }
  const created = (await apply({ boards: [{ path: 'gone', ...isNew, content }], managed: [{ kind: 'board', path: 'gone', id: null, url: `${url}/gone` }] })).json()
  const [{ id, hash }] = created.items
  expect(await managedUrl('board', id)).toBe(`${url}/gone`)
  const changed = { path: 'gone', id, expectedHash: hash, content: { title: 'Changed' } }
  const after = (await apply({ boards: [changed] })).json<{ items: { hash: string }[] }>().items[0]!
  expect((await apply({ deletions: [{ kind: 'board', path: 'gone', id, expectedHash: after.hash }] })).statusCode).toBe(200)
  expect(await managedUrl('board', id)).toBeUndefined()
})

test('only admins mark items, with web addresses, and only their own', async () => {
  const member = await shop.addPerson('member', 'member@shop.test')
  const bank = await service.addOrganization('bank')
  const mark = (fields: object) => ({ managed: [{ kind: 'query', path: 'q.sql', id: ids['query'], url: `${url}/q.sql`, ...fields }] })
  expectRefusal(await apply(mark({}), member), 'forbidden')
  expectRefusal(await apply(mark({ url: 'javascript:alert(1)' })), 'invalid_request', {
    details: [{ path: 'q.sql', message: 'The url must begin with https:// or http://.' }],
  })
  expectRefusal(await apply(mark({}), bank.admin), 'invalid_request', { details: [{ path: 'q.sql', message: 'This query does not exist.' }] })
  expect(await managedUrl('query', ids['query']!, bank.admin)).toBeUndefined()
})

test('items can be edited on the pages again when they are released', async () => {
  expect(await managedUrl('query', ids['query']!)).toBe(`${url}/${fileOf('query')}`)
  await apply({ managed: marks(null) })
  expect(await managedUrl('query', ids['query']!)).toBeUndefined()
  expect((await admin.page('PATCH', `/app/api/references/${ids['query']}`, { title: 'Mine' })).statusCode).toBe(200)
})
