import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createAutomation,
  startTestService,
  storeQuery,
  storeReference,
  type TestOrganization,
  type TestService,
  unknownUuid,
} from '@querypost/server/testing/suites'
import { freePort } from '@querypost/server/testing'
import { generate } from '../../../test/types/generate.ts'
import type { OpenapiDocument } from '../../../test/types/openapi-document.ts'
import {
  AuthenticationError,
  type BoardResults,
  ConflictError,
  ConnectionError,
  CursorExpiredError,
  NotFoundError,
  Querypost,
  RouteRetiredError,
  RunFailedError,
  ValidationError,
} from '../src/index.ts'

/** The client against the real service, over a real connection. */
let service: TestService
let shop: TestOrganization
let client: Querypost
let baseUrl: string
const hourMs = 3_600_000

beforeAll(async () => {
  const sunset = new Date('2026-01-07T09:00:00.000Z')
  service = await startTestService('pglite', { queryApi: { state: 'active', sunset } })
  shop = await service.addOrganization('shop')
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  baseUrl = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
  client = new Querypost({ apiKey: shop.admin.apiKey, baseUrl })
})
afterAll(() => service.stop())

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('It did not reject.'),
    (error: unknown) => error,
  )

test('the generated types match the service’s document: else run npm run types', async () => {
  const document = (await service.app.inject('/api/openapi.json')).json<OpenapiDocument>()
  const read = (name: string) => readFileSync(new URL(`../src/generated/${name}`, import.meta.url), 'utf8')
  for (const [name, text] of Object.entries(generate(document))) expect(read(name), name).toBe(text)
})

test('every described operation has a method', () => {
  const operations = Object.keys(generatedRoutes()).filter((id) => id !== 'me.get')
  for (const id of operations) {
    const [resource, method] = id.split('.') as [keyof Querypost, string]
    expect(client[resource], id).toHaveProperty(method)
  }
  expect(operations.length).toBeGreaterThan(10)
})

function generatedRoutes(): Record<string, unknown> {
  const text = readFileSync(new URL('../src/generated/operations.ts', import.meta.url), 'utf8')
  return Object.fromEntries(Array.from(text.matchAll(/^ {2}'([\w.]+)': \{ method/gm), ([, id]) => [id!, true]))
}

test('chats: ask, follow, ask again, list', async () => {
  expect(await failure(client.chats.create({ question: 'How many?' }))).toMatchObject({ status: 409, code: 'model_not_configured' })
  const model = { provider: 'openai_compatible', baseUrl: 'https://models.example/v1', model: 'small' }
  expect((await shop.admin.page('PUT', '/app/api/model-settings', model)).statusCode).toBe(200)
  // Answered by the service itself.
  const chat = await client.chats.create({ question: 'Email this to Bob.' })
  expect(chat).toMatchObject({ title: 'Email this to Bob.', status: 'idle' })
  const received: string[] = []
  for await (const event of client.chats.events(chat.shortId)) {
    if (event.kind === 'status') break
    received.push(event.message.kind)
  }
  expect(received).toEqual(['question', 'answer'])
  expect((await client.chats.ask(chat.shortId, { question: 'Post it to Slack.' })).messages).toHaveLength(4)
  expect(await client.chats.get(chat.shortId)).toMatchObject({ messages: { 2: { text: 'Post it to Slack.', follows: 1 } } })
  const listed: string[] = []
  for await (const { shortId } of client.chats.list()) listed.push(shortId)
  expect(listed).toEqual([chat.shortId])
  expect(await failure(client.chats.get('abcdefghjk'))).toBeInstanceOf(NotFoundError)
})

test('boards and folders: create, change, refresh, read, draw, delete', async () => {
  const folder = await client.folders.create({ name: 'Finance' })
  expect(await client.folders.update(folder.id, { name: 'Money' })).toMatchObject({ name: 'Money' })
  const analyticalDatabaseConfigId = shop.databaseId
  const query = (await shop.admin.page('POST', '/app/api/queries', { sql: 'select 1 as one', analyticalDatabaseConfigId })).json()
  const { shortId: referenceShortId } = await client.references.create({ queryId: query.id })
  const tile = { kind: 'reference', referenceShortId, x: 0, y: 0, width: 6, height: 4 } as const
  const board = await client.boards.create({ title: 'Revenue', folderId: folder.id, tiles: [tile] })
  expect(await client.boards.get(board.shortId)).toEqual(board)
  const changed = await client.boards.update(board.shortId, { title: 'Costs' }, board)
  expect(changed).toMatchObject({ title: 'Costs', version: 2 })
  const late = await failure(client.boards.update(board.shortId, { title: 'Late' }, board))
  expect(late).toBeInstanceOf(ConflictError)
  expect(late).toMatchObject({ status: 412, code: 'version_conflict' })

  expect(await client.boards.results(board.shortId)).toMatchObject({ tiles: [{ status: 'missing' }] })
  const seen: string[] = []
  const onResults = ({ tiles }: BoardResults) => seen.push(tiles[0]!.status)
  expect(await client.boards.refreshAndWait(board.shortId, {}, { onResults })).toMatchObject({ tiles: [{ status: 'ready' }] })
  expect(seen.at(-1)).toBe('ready')
  expect(Buffer.from(await client.boards.image(board.shortId)).subarray(1, 4).toString()).toBe('PNG')

  const listed: string[] = []
  for await (const { title } of client.boards.list()) listed.push(title)
  expect(listed).toEqual(['Costs'])
  expect(await failure(client.folders.delete(folder.id))).toMatchObject({ code: 'folder_not_empty' })
  expect(await client.boards.delete(board.shortId, changed)).toMatchObject({ title: 'Costs', deletedAt: expect.any(String) })
  expect(await failure(client.boards.get(board.shortId))).toBeInstanceOf(NotFoundError)
  expect(await client.folders.delete(folder.id)).toMatchObject({ name: 'Money' })
  await client.references.delete(referenceShortId)
})

test('me returns the caller, and rejects a wrong key', async () => {
  expect(await client.me()).toMatchObject({ user: { email: 'admin@shop.test' }, role: 'admin' })
  const error = await failure(new Querypost({ apiKey: 'qp_live_wrong', baseUrl }).me())
  expect(error).toBeInstanceOf(AuthenticationError)
  expect(error).toMatchObject({
    status: 401,
    code: 'unauthenticated',
    requestId: expect.stringMatching(/^qpc_/) as string,
    documentationUrl: 'https://querypost.test/docs/errors#unauthenticated',
  })
})

describe('references', () => {
  test('are created, read, changed and deleted, and then not found', async () => {
    const { id: queryId } = await storeQuery(shop, 'select 1 as one')
    const { shortId } = await client.references.create({ queryId })
    const created = { title: 'Untitled query', parameters: [], currentQuery: { id: queryId } }
    expect(await client.references.get(shortId)).toMatchObject(created)
    expect(await client.references.update(shortId, { title: 'One', description: 'First' })).toMatchObject({ title: 'One' })
    expect(await client.references.update(shortId, { description: null })).toMatchObject({ title: 'One', description: null })
    expect(await client.references.delete(shortId)).toMatchObject({ shortId, queryId })
    const gone = await failure(client.references.get(shortId))
    expect(gone).toBeInstanceOf(NotFoundError)
    expect(gone).toMatchObject({ code: 'reference_not_found' })
  })

  test('are listed page by page, as of the first page', async () => {
    const { id } = await storeQuery(shop, 'select 2 as two')
    const shortIds: string[] = []
    for (let count = 0; count < 5; count++) {
      service.clock.leap(1)
      shortIds.unshift((await storeReference(shop, id)).shortId)
    }
    const seen: string[] = []
    for await (const { shortId } of client.references.list({ limit: 2 })) {
      seen.push(shortId)
      if (seen.length === 1) await storeReference(shop, id)
    }
    expect(seen).toEqual(shortIds)
  })

  test('report what is wrong with a request', async () => {
    const error = await failure(client.references.update('abc', { title: '' }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({ status: 400, details: [{ path: '/title', message: expect.any(String) as string }] })
  })
})

describe('queries', () => {
  test('are refreshed and waited for', async () => {
    const { id } = await storeQuery(shop, 'select n from numbers where n < 3 order by n')
    expect(await failure(client.queries.result(id))).toMatchObject({ code: 'result_not_available' })
    const seen: string[] = []
    const result = await client.queries.refreshAndWait(id, { onRun: ({ status }) => seen.push(status), timeoutMs: 60_000 })
    expect(result).toMatchObject({ rows: [[0], [1], [2]], rowCount: 3, fields: [{ name: 'n', type: 'integer' }] })
    expect([seen[0], seen.at(-1)]).toEqual(['pending', 'completed'])
    const ended = { latestRun: { status: 'completed' }, latestRunMetadata: { rowCount: 3 } }
    expect(await client.queries.get(id)).toMatchObject(ended)
    expect(await client.queries.result(id, { ifNoneMatch: result.etag! })).toMatchObject({ isNotModified: true })
    const csv = await new Response(await client.queries.resultStream(id, { format: 'csv' })).text()
    expect(csv.trim().split(/\r?\n/)).toEqual(['n', '0', '1', '2'])
    expect((await client.queries.list().pages()[Symbol.asyncIterator]().next()).value).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ id })]) as unknown[],
    })
  })

  test('report why a run failed', async () => {
    const { id } = await storeQuery(shop, 'select no_such_column from numbers')
    const error = await failure(client.queries.refreshAndWait(id))
    expect(error).toBeInstanceOf(RunFailedError)
    expect((error as RunFailedError).reason).toContain('no_such_column')
  })

  test('that are already running are a conflict, or joined', async () => {
    const slow = 'select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3'
    const { id } = await storeQuery(shop, slow)
    const run = await client.queries.refresh(id)
    expect(await failure(client.queries.refreshAndWait(id))).toBeInstanceOf(ConflictError)
    let joined: string | undefined
    const joining = client.queries.refreshAndWait(id, {
      joinRunning: true,
      onRun: (each) => {
        if (joined === undefined) void shop.admin.page('POST', `/app/api/runs/${run.id}/cancel`)
        joined = each.id
      },
    })
    expect(await failure(joining)).toMatchObject({ name: 'RunFailedError', run: { id: run.id } })
    expect(joined).toBe(run.id)
  })
})

test('an automation is run and waited for', async () => {
  const { id } = await storeQuery(shop, 'select 1 as one')
  const { shortId } = await storeReference(shop, id)
  const automation = await createAutomation(shop, { references: [shortId] })
  const ended = await client.automations.runAndWait(automation.id, { timeoutMs: 60_000 })
  expect(ended).toMatchObject({ status: 'completed', automationId: automation.id, event: { type: 'automation.run.completed' } })
  expect(await client.automationRuns.get(ended.id)).toEqual(ended)
  expect(await failure(client.automations.run('automation_nothing'))).toMatchObject({ code: 'automation_not_found' })
})

test('a sample event reaches all listeners', async () => {
  const ending = new AbortController()
  const received: unknown[] = []
  for await (const message of client.events.stream({ signal: ending.signal })) {
    received.push(message)
    if (message.kind === 'webhook') break
    await client.events.createSample({ type: 'automation.run.completed' })
  }
  const sample = { kind: 'webhook', type: 'automation.run.completed', isTest: true }
  expect(received).toMatchObject([{ kind: 'ready', hasMissedEvents: false }, sample])
})

test('reports a service that cannot be reached', async () => {
  const nobody = new Querypost({ apiKey: 'key', baseUrl: `http://127.0.0.1:${await freePort()}`, maxRetries: 0 })
  const error = await failure(nobody.me())
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error).toMatchObject({ isOutcomeUnknown: false })
})

// These advance time, so they are last.
test('a list that was paused for too long has to be restarted', async () => {
  const pages = client.references.list({ limit: 1 }).pages()[Symbol.asyncIterator]()
  expect((await pages.next()).done).toBe(false)
  service.clock.leap(25 * hourMs)
  expect(await failure(pages.next())).toBeInstanceOf(CursorExpiredError)
})

test('a retired interface is reported at once; everything else keeps working', async () => {
  service.clock.leap(25 * hourMs)
  let count = 0
  const counting = new Querypost({
    apiKey: shop.admin.apiKey,
    baseUrl,
    fetch: (url, init) => {
      count++
      return fetch(url, init)
    },
  })
  expect(await failure(counting.queries.get(unknownUuid))).toBeInstanceOf(RouteRetiredError)
  expect(await failure(counting.references.list()[Symbol.asyncIterator]().next())).toBeInstanceOf(RouteRetiredError)
  expect(await failure(counting.queries.refreshAndWait(unknownUuid))).toBeInstanceOf(RouteRetiredError)
  expect(count).toBe(3)
  expect(await counting.me()).toMatchObject({ role: 'admin' })
})
