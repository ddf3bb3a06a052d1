import { signatureHeaders } from '@querypost/webhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectRefusal } from '../../../testing/http/requests.ts'
import { tarOf } from '../../../testing/tar.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'

interface Repository {
  id: string
  secret: string
  pushUrl: string
}

let service: TestService
let shop: TestOrganization
let repository: Repository
let count = 0

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
})
afterAll(() => service.stop())
beforeEach(async () => {
  shop = await service.addOrganization(`shop${(count += 1)}`)
  repository = await add(shop)
})

const url = 'https://git.example/blob/main/'
const add = async ({ admin }: TestOrganization) =>
  (await admin.page('POST', '/app/api/git-repositories', { name: 'analytics', url })).json<Repository>()
const query = (title: string, sql = 'select 1') => `-- title: ${title}\n-- database: Numbers\n\n${sql}\n`
const titles = async () =>
  (await shop.admin.api('GET', '/api/references')).json<{ items: { title: string }[] }>().items.map(({ title }) => title).toSorted()

interface Sent {
  to?: string
  secret?: string
  sentAt?: Date
  headers?: Record<string, string>
  payload?: Buffer
}

async function push(files: Record<string, string>, { to = repository.id, secret = repository.secret, sentAt, headers, payload }: Sent = {}) {
  // Each push is signed later than the one before.
  service.clock.leap(2000)
  const body = await tarOf(files)
  const signed = headers ?? (await signatureHeaders({ id: `push_${(count += 1)}`, body, secret, sentAt: sentAt ?? service.clock.now() }))
  return service.app.inject({ method: 'POST', url: `/git/${to}/push`, payload: payload ?? body, headers: { 'content-type': 'application/x-tar', ...signed } })
}

test('applies all files in one transaction, manages them, and deletes those that are gone', async () => {
  const first = await push({ 'finance/folder.yaml': 'name: Finance\n', 'finance/revenue.sql': query('Revenue'), 'old.sql': query('Old'), 'README.md': 'Not an item' })
  expect(first.json()).toEqual({
    changes: [
      { action: 'create', kind: 'folder', path: 'finance', words: 'the folder “Finance”' },
      { action: 'create', kind: 'query', path: 'finance/revenue.sql', words: 'the query “Revenue”' },
      { action: 'create', kind: 'query', path: 'old.sql', words: 'the query “Old”' },
    ],
  })
  const [{ shortId }] = (await shop.admin.api('GET', '/api/references')).json<{ items: [{ shortId: string }] }>().items
  expectRefusal(await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { title: 'Mine' }), 'managed_by_files', { message: /https:\/\/git\.example\/blob\/main\/\S+\.sql/ })
  const second = await push({ 'finance/folder.yaml': 'name: Finance\n', 'finance/revenue.sql': query('Net revenue') })
  expect(second.json<{ changes: { action: string }[] }>().changes.map(({ action }) => action)).toEqual(['rename', 'delete'])
  expect(await titles()).toEqual(['Net revenue'])
  const again = await push({ 'finance/folder.yaml': 'name: Finance\n', 'finance/revenue.sql': query('Net revenue') })
  expect(again.json()).toEqual({ changes: [] })
  const listed = await shop.admin.page('GET', '/app/api/git-repositories')
  expect(listed.json<{ items: object[] }>().items, listed.body).toEqual([expect.objectContaining({ id: repository.id, pushUrl: repository.pushUrl, lastPushedAt: service.clock.now().toISOString() })])
})

test('refuses a wrong signature, changed bytes, an old time, and unknown repositories', async () => {
  const files = { 'a.sql': query('A') }
  expectRefusal(await push(files, { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }), 'signature_invalid', { message: /signature was not made/ })
  expectRefusal(await push(files, { payload: await tarOf({ 'a.sql': query('B') }) }), 'signature_invalid')
  expectRefusal(await push(files, { headers: {} }), 'signature_invalid', { message: /^Send the headers/ })
  expectRefusal(await push(files, { sentAt: new Date(service.clock.now().getTime() - 400_000) }), 'signature_invalid', { message: /seconds ago/ })
  expectRefusal(await push(files, { to: 'repo_unknown' }), 'signature_invalid')
  const bank = await service.addOrganization(`bank${(count += 1)}`)
  expectRefusal(await push(files, { to: (await add(bank)).id }), 'signature_invalid')
  expect(await titles()).toEqual([])
})

test('applies a signed request only once, and nothing that was signed before it', async () => {
  const files = { 'a.sql': query('A') }
  const [earlier, sentAt] = [service.clock.now(), new Date(service.clock.now().getTime() + 2000)]
  const headers = await signatureHeaders({ id: 'push_once', body: await tarOf(files), secret: repository.secret, sentAt })
  expect((await push(files, { headers })).statusCode).toBe(200)
  expectRefusal(await push(files, { headers }), 'push_outdated')
  expectRefusal(await push({}, { sentAt: earlier }), 'push_outdated')
  expect(await titles()).toEqual(['A'])
})

test('refuses conflicts, files with errors and other bodies, and changes nothing', async () => {
  const body = { title: 'A', sql: 'select 2', analyticalDatabaseConfigId: shop.databaseId }
  await shop.admin.api('POST', '/api/references', body)
  const conflict = await push({ 'a.sql': query('A'), 'b.sql': query('B') })
  expectRefusal(conflict, 'project_conflict', { message: /a\.sql/, details: [{ path: 'a.sql', message: expect.stringContaining('differs in SQL') }] })
  expectRefusal(await push({ 'c.sql': 'select 1' }), 'invalid_request', { details: [{ path: 'c.sql', message: expect.stringContaining('must begin with a comment') }] })
  const json = Buffer.from('{"files":[]}'.padEnd(600))
  const headers = await signatureHeaders({ id: 'push_json', body: json, secret: repository.secret, sentAt: service.clock.now() })
  expectRefusal(await push({}, { headers, payload: json }), 'invalid_request', { message: /is not a tar archive/ })
  expect(await titles()).toEqual(['A'])
})

test('accepts the old secret during the overlap only', async () => {
  const rotated = (await shop.admin.page('POST', `/app/api/git-repositories/${repository.id}/rotate`, { overlapHours: 1 })).json<Repository>()
  expect(rotated.secret).not.toBe(repository.secret)
  expect((await push({ 'a.sql': query('A') })).statusCode).toBe(200)
  expect((await push({ 'a.sql': query('B') }, { secret: rotated.secret })).statusCode).toBe(200)
  service.clock.leap(3600_000)
  expectRefusal(await push({ 'a.sql': query('C') }), 'signature_invalid')
  await shop.admin.page('DELETE', `/app/api/git-repositories/${repository.id}`)
  expectRefusal(await push({ 'a.sql': query('C') }, { secret: rotated.secret }), 'signature_invalid')
})

test('acts as the admin who added it, while that is still one', async () => {
  const second = await shop.addPerson('admin', `second${count}@shop.test`)
  const added = (await second.page('POST', '/app/api/git-repositories', { name: 'theirs', url })).json<Repository>()
  await shop.admin.page('PATCH', `/app/api/members/${second.caller.userId}`, { role: 'member' })
  expectRefusal(await push({ 'a.sql': query('A') }, { to: added.id, secret: added.secret }), 'forbidden')
  expectRefusal(await shop.admin.page('POST', '/app/api/git-repositories', { name: 'x', url: 'javascript:alert(1)' }), 'invalid_request', {
    details: [{ path: '/url', message: 'must be an address that begins with https://' }],
  })
})
