import { type FileItem, fileOf, fromLists, type KnownItem, nameOf, planChanges, type ProjectLists, type StoredItem, toChangeLists, toFileItems } from '@querypost/project'
import { parseTree, printFile } from '@querypost/project/files'
import { organization, withoutFaults } from '@querypost/project/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal, storeQuery, storeReference } from '../../../testing/http/requests.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../testing/test-service.ts'

let service: TestService
let shop: TestOrganization
let count = 0

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

const read = async ({ admin }: TestOrganization): Promise<StoredItem[]> => fromLists((await admin.api('GET', '/api/project')).json<ProjectLists>())
const filesOf = (stored: StoredItem[], known = new Map<string, KnownItem>()) => new Map(toFileItems(stored, known).map((item) => [fileOf(item), printFile(item)]))
const apply = (person: TestPerson, body: object) => person.api('POST', '/api/project/apply', body)

/** Pushes files to an organization. Returns what is known of them afterwards. */
async function push(to: TestOrganization, files: FileItem[], known = new Map<string, KnownItem>()): Promise<Map<string, KnownItem>> {
  const plan = planChanges({ files, stored: await read(to), known, deletes: true })
  expect(plan.conflicts).toEqual([])
  const answer = await apply(to.admin, toChangeLists(plan.changes))
  expect(answer.statusCode, answer.body).toBe(200)
  const { items } = answer.json<{ items: (KnownItem & { path: string })[] }>()
  return new Map([...plan.unchanged, ...items.map(({ path, ...item }): [string, KnownItem] => [path, item])])
}

test('an organization with more items than one portion is read whole, and an empty one has empty lists', async () => {
  const [empty, large] = [await service.addOrganization('empty'), await service.addOrganization('large')]
  expect((await empty.admin.api('GET', '/api/project')).json()).toEqual({ folders: [], queries: [], boards: [], automations: [], metrics: [], questionSets: [] })
  const queries = Array.from({ length: 205 }, (_, at) => ({ path: `q${at}.sql`, id: null, expectedHash: null, content: { title: `Query ${at}`, database: 'Numbers', sql: `select ${at}` } }))
  const boards = [{ path: 'b.yaml', id: null, expectedHash: null, content: { title: 'Board', tiles: [] } }]
  const applied = await apply(large.admin, { queries, boards })
  expect(applied.statusCode, applied.body).toBe(200)
  const items = await read(large)
  expect(new Set(items.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(206)
  const hashes = applied.json<{ items: { hash: string }[] }>().items.map(({ hash }) => hash)
  expect(items.map(({ hash }) => hash).toSorted()).toEqual(hashes.toSorted())
})

test('pulling an organization and pushing it into an empty one gives an equal one', async () => {
  await fc.assert(
    fc.asyncProperty(organization, async (items) => {
      const [first, second] = [await service.addOrganization(`org${(count += 1)}`), await service.addOrganization(`org${(count += 1)}`)]
      await push(first, withoutFaults(toFileItems(items), { database: 'Numbers' }))
      const pulled = filesOf(await read(first))
      const known = await push(second, parseTree(pulled).items)
      expect(filesOf(await read(second), known)).toEqual(pulled)
      const again = planChanges({ files: parseTree(pulled).items, stored: await read(second), known, deletes: true })
      expect(again.changes).toEqual([])
    }),
    { numRuns: 5, seed: 7, endOnFailure: true },
  )
})

const query = (path: string, content: object = {}) => ({ path, id: null, expectedHash: null, content: { title: path, database: 'Numbers', sql: 'select 1', ...content } })

test('refuses all changes if one item has changed on the service, and lists every conflict', async () => {
  const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1')).id, { title: 'Mine' })
  const stored = (await read(shop)).find(({ id }) => id === shortId)!
  await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { description: 'Changed on the page' })
  const change = { path: 'mine.sql', id: shortId, expectedHash: stored.hash, content: stored.content }
  const gone = { kind: 'board', path: 'gone.board.yaml', id: 'abcdefghjk', expectedHash: stored.hash }
  const answer = await apply(shop.admin, { queries: [query('new.sql'), change], deletions: [gone] })
  expectRefusal(answer, 'project_conflict', {
    details: [
      { path: 'mine.sql', message: 'The query “Mine” has changed since the state that the change is based on.' },
      { path: 'gone.board.yaml', message: 'This board does not exist. It may have been deleted.' },
    ],
  })
  expect((await read(shop)).some(({ content }) => nameOf(content) === 'new.sql')).toBe(false)
})

test('names the file of a change that the service refuses, and changes nothing', async () => {
  const answer = await apply(shop.admin, { queries: [query('first.sql'), query('finance/wrong.sql', { database: 'Nowhere' })] })
  expectRefusal(answer, 'database_not_found', { message: /^finance\/wrong\.sql: /, details: [{ path: 'finance/wrong.sql/database', message: 'is not a database of your organization' }] })
  expect((await read(shop)).some(({ content }) => nameOf(content) === 'first.sql')).toBe(false)
  expectRefusal(await apply(shop.admin, { queries: [query('twice.sql'), query('twice.sql')] }), 'invalid_request', { details: [{ path: 'twice.sql', message: 'is given twice. Name each item once.' }] })
  const dangling = { path: 'a.board.yaml', id: null, expectedHash: null, content: { title: 'A', tiles: [{ query: 'path:nowhere.sql', place: { x: 0, y: 0, width: 1, height: 1 } }] } }
  expectRefusal(await apply(shop.admin, { boards: [dangling] }), 'invalid_request', { message: /nowhere\.sql/, details: [{ path: 'a.board.yaml', message: expect.any(String) }] })
})

test('a dry run checks everything and changes nothing', async () => {
  const before = await read(shop)
  const answer = await apply(shop.admin, { queries: [query('tried.sql')], isDryRun: true })
  expect(answer.json()).toMatchObject({ items: [{ path: 'tried.sql', kind: 'query' }] })
  expect(await read(shop)).toEqual(before)
})

test('creates boards that open each other, and keeps ids when files change', async () => {
  const other = await service.addOrganization('boards')
  const place = { x: 0, y: 0, width: 6, height: 4 }
  const board = (title: string, opened: string): FileItem => ({
    kind: 'board',
    path: `${title}.board.yaml`,
    content: { title, tiles: [{ query: 'q.sql', place, opens: { board: `${opened}.board.yaml`, parameter: 'x', column: 'a' } }] },
  })
  const shown: FileItem = { kind: 'query', path: 'q.sql', content: { title: 'Q', database: 'Numbers', sql: 'select 1 as a' } }
  const known = await push(other, [board('a', 'b'), board('b', 'a'), shown])
  const tileOf = async (path: string) => (await other.admin.api('GET', `/api/boards/${known.get(path)!.id}`)).json<{ version: number; tiles: { id: string }[] }>()
  const before = await tileOf('a.board.yaml')
  const renamed = board('a', 'b')
  const moved: FileItem = { ...shown, path: 'finance/q.sql', content: { ...(shown.content as { title: string; database: string; sql: string }), folder: 'finance' } }
  const linked = (item: FileItem): FileItem => ({ ...item, content: { ...item.content, tiles: [{ ...(item.content as { tiles: object[] }).tiles[0]!, query: 'finance/q.sql' }] } }) as FileItem
  const files = [linked({ ...renamed, content: { ...renamed.content, title: 'Renamed' } } as FileItem), linked(board('b', 'a')), moved, { kind: 'folder', path: 'finance', content: { name: 'Finance' } } as FileItem]
  const after = await push(other, files, known)
  expect(after.get('a.board.yaml')).toMatchObject({ id: known.get('a.board.yaml')!.id, name: 'Renamed' })
  expect(after.get('finance/q.sql')!.id).toBe(known.get('q.sql')!.id)
  expect((await tileOf('a.board.yaml')).tiles.map(({ id }) => id)).toEqual(before.tiles.map(({ id }) => id))
})

test('a key needs the scope write, and admin for metrics; members cannot change metrics', async () => {
  const metric = { path: 'metrics/m.metric.yaml', id: null, expectedHash: null, content: { name: 'M', database: 'Numbers', sql: 'select 1' } }
  const as = async (scopes: string[], body: object) => {
    const { key } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'ci', scopes })).json<{ key: string }>()
    return service.app.inject({ method: 'POST', url: '/api/project/apply', payload: body, headers: { authorization: `Bearer ${key}` } })
  }
  expectRefusal(await as(['read', 'write:queries'], { queries: [query('x.sql')] }), 'scope_missing', { message: /write:project/ })
  expectRefusal(await as(['write'], { metrics: [metric] }), 'scope_missing', { message: /admin:knowledge/ })
  const member = await shop.addPerson('member', 'member@shop.test')
  expectRefusal(await apply(member, { metrics: [metric] }), 'forbidden', { message: /^metrics/, details: expect.any(Array) })
})

test('is only for members who can see everything', async () => {
  const closed = await service.addOrganization('closed')
  const member = await closed.addPerson('member', 'member@closed.test')
  expect((await member.api('GET', '/api/project')).statusCode).toBe(200)
  await closed.admin.page('PUT', `/app/api/access/databases/${closed.databaseId}`, { levels: [{ groupId: null, level: 'none' }] })
  expectRefusal(await member.api('GET', '/api/project'), 'forbidden')
  expectRefusal(await apply(member, { queries: [query('x.sql')] }), 'forbidden')
})

test('repeats the answer to a request with the same Idempotency-Key', async () => {
  const send = () => shop.admin.api('POST', '/api/project/apply', { queries: [query('once.sql')] }, { 'idempotency-key': 'push-1' })
  const first = await send()
  expect((await send()).json()).toEqual(first.json())
  expect((await read(shop)).filter(({ content }) => nameOf(content) === 'once.sql')).toHaveLength(1)
})
