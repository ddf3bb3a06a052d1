import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAutomation } from '../../testing/http/automation-requests.ts'
import { collectRoutes } from '../../testing/http/collect-routes.ts'
import { endOf, expectRefusal } from '../../testing/http/requests.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../testing/test-service.ts'
import { databaseFolder } from '../domain/databases/engines.ts'
import { newId } from '../domain/ids.ts'
import { databaseLevels, folderLevels } from '../model/access.ts'
import { scopeActions } from '../model/api-key-scope.ts'
import { insertDatabase } from '../store/databases/databases-table.ts'
import { tools } from './mcp/tools.ts'

/**
 * Attacks the rules about who may see what: whatever the grants are, nothing that a member can read contains the marker of a thing that
 * is hidden from that member. Every thing here has a marker in all its texts: names, SQL, results, comments, tags.
 */
let service: TestService
let shop: TestOrganization
let listRoutes: string[]
const random = seededRandom('hidden things')

interface Thing {
  marker: string
  databaseId: string | null
  folderId: string | null
  /** What people can open about it. */
  addresses: string[]
}
const things: Thing[] = []
const databases: string[] = []
const folders: string[] = []
const groups: string[] = []
const members: { person: TestPerson; groupIds: string[] }[] = []

beforeAll(async () => {
  const { built, routes } = await collectRoutes(() => startTestService('postgres'))
  service = built
  shop = await service.addOrganization('shop')
  listRoutes = routes
    .filter(({ method, url, config }) => method === 'GET' && /^\/(app\/)?api\//.test(url) && !url.includes(':') && !config?.isEventStream)
    .map(({ url }) => url)
  databases.push(shop.databaseId, await addDatabase('marker_db_1_'))
  things.push({ marker: 'marker_db_1_', databaseId: databases[1]!, folderId: null, addresses: [`/app/api/databases/${databases[1]}`] })
  for (const name of ['marker_folder_0_', 'marker_folder_1_']) {
    const { id } = (await admin('POST', '/app/api/folders', { name, parentId: folders[0] ?? null })).json()
    folders.push(id)
    things.push({ marker: name, databaseId: null, folderId: id, addresses: [`/app/api/references?folder=${id}`, `/app/api/boards?folder=${id}`] })
  }
  for (const at of [0, 1]) {
    const person = await shop.addPerson('member', `member${at}@shop.test`)
    const { id } = (await admin('POST', '/app/api/groups', { name: `group ${at}`, memberIds: [person.caller.userId] })).json()
    groups.push(id)
    members.push({ person, groupIds: [id] })
  }
  for (const databaseId of databases) for (const folderId of [null, ...folders]) await addThing(databaseId, folderId)
  await addBoards()
}, 300_000)
afterAll(() => service.stop())

const admin: TestPerson['page'] = async (...request) => {
  const answer = await shop.admin.page(...request)
  expect(answer.statusCode, `${request[0]} ${request[1]}: ${answer.body}`).toBeLessThan(300)
  return answer
}

async function addDatabase(name: string): Promise<string> {
  const { db, clock, dataDirectory } = service.services
  const { organizationId, userId } = shop.admin.caller
  const folder = databaseFolder({ dataDirectory, organizationId })
  await copyFile(path.join(folder, 'numbers.duckdb'), path.join(folder, 'other.duckdb'))
  const id = newId(service.services.random, 'db')
  const settings = { file: 'other.duckdb' }
  await insertDatabase(db, { id, organizationId, name, engine: 'duckdb', settings, createdBy: userId, createdAt: clock.now() })
  const instructions = { databaseId: id, text: `${name} is secret.`, version: 0 }
  await admin('PUT', '/app/api/knowledge/instructions', instructions)
  return id
}

/** A saved query with a result and everything that can be about it. */
async function addThing(databaseId: string, folderId: string | null): Promise<void> {
  const marker = `marker_${things.length}_`
  const sql = `select '${marker}' as ${marker}`
  const query = (await admin('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId: databaseId })).json()
  const { shortId } = (await admin('POST', '/app/api/references', { queryId: query.id, title: marker, description: marker })).json()
  const address = `/app/api/references/${shortId}`
  if (folderId) await admin('PATCH', address, { folderId })
  const run = await endOf(service, shop, shop.admin.page('POST', `${address}/runs`))
  await admin('PUT', `${address}/tags`, { tags: [marker, 'common'] })
  const thread = (await admin('POST', `${address}/comment-threads`, { text: marker })).json()
  await admin('POST', `${address}/public-links`, {})
  await admin('PUT', `${address}/verification`)
  const metric = { name: marker, definition: { kind: 'reference', shortId } }
  await admin('POST', '/app/api/knowledge/metrics', metric)
  const automation = await createAutomation(shop, { name: marker, references: [shortId] })
  const { chatShortId } = (await admin('POST', `/app/api/automations/${automation.id}/runs`)).json()
  for (const { person } of members) {
    for (const [method, part] of [['PUT', 'favorite'], ['POST', 'views']] as const) await person.page(method, `${address}/${part}`)
    const mention = { text: `@[${person.caller.userId}] ${marker}` }
    await admin('POST', `/app/api/comment-threads/${thread.id}/comments`, mention)
  }
  things.push({
    marker,
    databaseId,
    folderId,
    addresses: [
      address,
      `/api/queries/refs/${shortId}`,
      `${address}/lineage`,
      `${address}/results`,
      `${address}/comment-threads`,
      `${address}/options?valueColumn=${marker}`,
      `/app/api/queries/${query.id}`,
      `/api/queries/${query.id}/result`,
      `/app/api/runs/${run.id}/result`,
      `/api/runs/${run.id}/result`,
      `/app/api/automations/${automation.id}/runs`,
      `/app/api/chats/${chatShortId}`,
      `/q/${shortId}`,
      `/app/api/search?q=${marker}`,
      `/app/api/references?search=${marker}`,
    ],
  })
}

/** One board at the top that shows every query, and one in each folder. */
async function addBoards(): Promise<void> {
  const { items } = (await admin('GET', '/app/api/references?limit=100')).json<{ items: { shortId: string; title: string }[] }>()
  const tiles = items.map(({ shortId, title }, at) => ({ kind: 'reference', width: 6, height: 4, x: 0, y: at * 4, referenceShortId: shortId, title }))
  for (const folderId of [null, ...folders]) {
    const marker = `marker_${things.length}_`
    const board = (await admin('POST', '/app/api/boards', { title: marker, folderId, tiles })).json()
    const address = `/app/api/boards/${board.shortId}`
    await admin('PATCH', address, { description: 'Changed' }, { 'if-match': '"1"' })
    const addresses = [address, `/api/boards/${board.shortId}`, `${address}/versions/1`, `${address}/export`, `/b/${board.shortId}`]
    things.push({ marker, databaseId: null, folderId, addresses })
  }
}

const chosen = <Item>(items: readonly Item[]): Item => items[random.bytes(1)[0]! % items.length]!

/** Sets random levels, and returns what each member should see of the things. */
async function shuffleLevels(): Promise<(member: { groupIds: string[] }, thing: Thing) => boolean> {
  const hidden = new Map<string, Set<string | null>>()
  async function shuffle(subject: string, id: string, levels: readonly string[]) {
    const given = [null, ...groups].map((groupId) => ({ groupId, level: chosen(['none', ...levels]) }))
    await admin('PUT', `/app/api/access/${subject}/${id}`, { levels: given })
    hidden.set(id, new Set(given.filter(({ level }) => level === 'none').map(({ groupId }) => groupId)))
  }
  for (const id of databases) await shuffle('databases', id, databaseLevels)
  for (const id of folders) await shuffle('folders', id, folderLevels)
  return ({ groupIds }, { databaseId, folderId }) => {
    const isHidden = (id: string) => [null, ...groupIds].every((groupId) => hidden.get(id)!.has(groupId))
    // The second folder is in the first.
    const above = folderId === null ? [] : folders.slice(0, folders.indexOf(folderId) + 1)
    return ![...(databaseId === null ? [] : [databaseId]), ...above].some(isHidden)
  }
}

async function readEverything(person: Pick<TestPerson, 'api'> & Partial<Pick<TestPerson, 'page'>>): Promise<{ address: string; body: string }[]> {
  const answers: { address: string; body: string }[] = []
  for (const address of [...listRoutes, ...things.flatMap(({ addresses }) => addresses)]) {
    const read = address.startsWith('/api/') ? person.api : person.page
    if (read) answers.push({ address, body: (await read('GET', address)).body })
  }
  for (const { name } of tools) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }
    const headers = { accept: 'application/json, text/event-stream' }
    answers.push({ address: `/mcp ${name}`, body: (await person.api('POST', '/mcp', message, headers)).body })
  }
  return answers
}

test('a member from whom something is hidden can do everything else', { timeout: 300_000 }, async () => {
  await admin('PUT', `/app/api/access/databases/${databases[1]}`, { levels: [{ groupId: null, level: 'none' }] })
  await admin('PUT', `/app/api/access/folders/${folders[1]}`, { levels: [{ groupId: null, level: 'none' }] })
  await admin('PUT', `/app/api/access/folders/${folders[0]}`, { levels: [{ groupId: null, level: 'view' }] })
  const { person } = members[0]!
  const act: TestPerson['page'] = async (...request) => {
    const answer = await person.page(...request)
    expect(answer.statusCode, `${request[0]} ${request[1]}: ${answer.body}`).toBeLessThan(300)
    return answer
  }
  const query = (await act('POST', '/app/api/queries', { sql: 'select 1 as n', analyticalDatabaseConfigId: databases[0] })).json()
  const { shortId } = (await act('POST', '/app/api/references', { queryId: query.id, title: 'Mine' })).json()
  const own = `/app/api/references/${shortId}`
  const run = await endOf(service, shop, person.page('POST', `${own}/runs`))
  expect(run.status).toBe('completed')
  expect((await act('GET', `/app/api/runs/${run.id}/result`)).body).toContain('"n"')
  await act('PATCH', own, { title: 'Mine too', sql: 'select 2 as n' })
  await act('PUT', `${own}/tags`, { tags: ['mine'] })
  await act('PUT', `${own}/favorite`)
  await act('POST', `${own}/views`)
  await act('POST', `${own}/comment-threads`, { text: `@[${members[1]!.person.caller.userId}] look` })
  await act('POST', `${own}/versions/1/restore`)
  const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
  const board = (await act('POST', '/app/api/boards', { title: 'My board', tiles: [tile] })).json()
  await act('POST', `/app/api/boards/${board.shortId}/refresh`)
  const automation = await createAutomation({ ...shop, admin: person }, { references: [shortId] })
  await act('POST', `/app/api/automations/${automation.id}/runs`)
  expect((await person.api('POST', `/api/queries/${query.id}/refresh`)).statusCode).toBe(202)
  await act('POST', '/app/api/folders', { name: 'My folder' })
  await act('DELETE', `/app/api/automations/${automation.id}`)
  await act('DELETE', `/app/api/boards/${board.shortId}`, undefined, { 'if-match': '"1"' })
  await act('DELETE', `${own}?evenIfUsed=true`)
  await act('POST', `${own}/restore`)
  await act('DELETE', `${own}?evenIfUsed=true`)

  const inReadOnly = things.find(({ databaseId, folderId }) => databaseId === databases[0] && folderId === folders[0])!.addresses[0]!
  await act('GET', inReadOnly)
  for (const [method, address, body] of [
    ['PATCH', inReadOnly, { title: 'Taken' }],
    ['PUT', `${inReadOnly}/tags`, { tags: [] }],
    ['DELETE', `${inReadOnly}?evenIfUsed=true`, undefined],
    ['POST', '/app/api/folders', { name: 'Inside', parentId: folders[0] }],
    ['POST', '/app/api/boards', { title: 'Inside', folderId: folders[0] }],
    ['PATCH', `/app/api/folders/${folders[0]}`, { name: 'Taken' }],
  ] as const) {
    expectRefusal(await person.page(method, address, body), 'forbidden', { message: /view this folder/ })
  }
})

test('nothing that a member can read tells of a hidden thing, whatever the grants', { timeout: 300_000 }, async () => {
  for (const member of members) {
    const sees = await shuffleLevels()
    const answers = await readEverything(member.person)
    for (const thing of things) {
      const telling = answers.filter(({ address, body }) => body.includes(thing.marker) && !address.includes(thing.marker))
      expect(sees(member, thing) ? [] : telling, thing.marker).toEqual([])
      // Proves that the check above can fail: what the member may see does appear.
      expect(telling.length > 0, thing.marker).toBe(sees(member, thing))
    }
    const visible = things.filter((thing) => sees(member, thing) && thing.databaseId !== null && thing.addresses.length > 1)
    const itemsOf = (address: string) => JSON.parse(answers.find((answer) => answer.address === address)!.body).items
    for (const list of ['references', 'favorites', 'automations']) expect(itemsOf(`/app/api/${list}`), list).toHaveLength(visible.length)
    const common = itemsOf('/app/api/tags').find(({ tag }: { tag: string }) => tag === 'common')
    expect(common?.count ?? 0).toBe(visible.length)
    expect((await admin('GET', '/app/api/references?limit=100')).json().items).toHaveLength(6)
  }
})

test('nothing that a key of an admin can read tells of things that are hidden from its groups', { timeout: 300_000 }, async () => {
  const group = (await admin('POST', '/app/api/groups', { name: 'brief' })).json<{ id: string }>().id
  groups.push(group)
  const { key } = (await admin('POST', '/app/api/api-keys', { name: 'grouped', scopes: [...scopeActions], groupIds: [group] })).json<{ key: string }>()
  const api: TestPerson['api'] = (method, url, body, headers) =>
    service.app.inject({ method, url, headers: { ...headers, authorization: `Bearer ${key}` }, ...(body !== undefined && { payload: body as object }) })
  async function expectOnlyVisible(groupIds: string[], sees: Awaited<ReturnType<typeof shuffleLevels>>) {
    const answers = await readEverything({ api })
    for (const thing of things) {
      const telling = answers.filter(({ address, body }) => body.includes(thing.marker) && !address.includes(thing.marker))
      expect(telling.length > 0, thing.marker).toBe(sees({ groupIds }, thing))
    }
    expect(JSON.parse(answers.find(({ address }) => address === '/api/me')!.body).role).toBe('member')
  }
  const sees = await shuffleLevels()
  await expectOnlyVisible([group], sees)
  await admin('DELETE', `/app/api/groups/${group}`)
  await expectOnlyVisible([], sees)
})
