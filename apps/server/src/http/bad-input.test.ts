import { rename } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseFolder } from '../domain/databases/engines.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { at, endOf, expectRefusal, parameter, storeQuery, storeReference } from '../../testing/http/requests.ts'

let service: TestService
let shop: TestOrganization
let shortId: string

beforeAll(async () => {
  service = await startTestService('postgres')
  shop = await service.addOrganization('shop')
  const { id } = await storeQuery(shop, 'select {{word}} as word')
  shortId = (await storeReference(shop, id, { parameters: [parameter('word', 'text', 'hello')] })).shortId
})
afterAll(() => service.stop())

const put = (payload: string | Buffer, contentType: string | undefined = 'application/json') =>
  service.app.inject({
    method: 'PUT',
    url: `/api/queries/refs/${shortId}`,
    headers: { authorization: `Bearer ${shop.admin.apiKey}`, ...(contentType && { 'content-type': contentType }) },
    payload,
  })

describe('unreadable bodies are rejected', () => {
  test.each([
    ['truncated', '{"title":"a"'],
    ['not JSON', 'title=a'],
    ['two values', '{}{}'],
    ['a comment', '{} // no'],
    ['NaN', '{"title":NaN}'],
    ['a key like __proto__', '{"__proto__":{"title":"a"}}'],
    ['a hidden constructor', '{"constructor":{"prototype":{"title":"a"}}}'],
  ])('%s', async (_, body) => {
    expectRefusal(await put(body), 'invalid_request', { message: /not valid JSON/ })
  })

  test('bytes that are not UTF-8', async () => {
    expectRefusal(await put(Buffer.from([...Buffer.from('{"title":"a'), 0xff, ...Buffer.from('"}')])), 'invalid_request', {
      message: /UTF-8/,
    })
  })

  test.each([['text/plain'], ['application/x-www-form-urlencoded'], ['application/jsonx'], ['multipart/form-data; boundary=x']])(
    'sent as %s',
    async (contentType) => {
      expectRefusal(await put('{"title":"a"}', contentType), 'invalid_request', { message: /application\/json/ })
    },
  )

  test('sent with an invalid content type', async () => {
    expectRefusal(await put('{"title":"a"}', ';;'), 'invalid_request')
  })

  test('sent without a content type', async () => {
    const headers = { authorization: `Bearer ${shop.admin.apiKey}` }
    const url = `/api/queries/refs/${shortId}`
    const answer = await service.app.inject({ method: 'PUT', url, headers, payload: '{"title":"a"}' })
    expectRefusal(answer, 'invalid_request', { message: /application\/json/ })
  })

  test.each(['', 'null', '[]', '"text"', '12', 'true'])('%j instead of an object', async (body) => {
    expectRefusal(await put(body), 'invalid_request', at('/', 'must be object'))
  })

  test.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['arrays in a field', `{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
  ])('nested 100,000 deep: %s', async (_, body) => {
    expectRefusal(await put(body), 'invalid_request', { details: expect.any(Array) })
  })

  test('larger than 1 MiB', async () => {
    const body = (sizeBytes: number) => `{"title":"${'x'.repeat(sizeBytes - 12)}"}`
    expectRefusal(await put(body(1024 * 1024 + 1)), 'body_too_large', { message: /1 MiB/ })
    expectRefusal(await put(body(1024 * 1024)), 'invalid_request', at('/title'))
    const undeclared = await service.app.inject({
      method: 'POST',
      url: '/app/api/session',
      headers: { 'content-type': 'application/json' },
      payload: Buffer.alloc(3 * 1024 * 1024, 0x20),
    })
    expectRefusal(undeclared, 'body_too_large')
  })
})

describe('text that cannot be stored and returned unchanged', () => {
  const nul = 'a\u0000b'
  const half = 'a\ud83d'

  test.each([
    ['a NUL', nul],
    ['half of a surrogate pair', half],
  ])('%s is rejected in a title, a description, SQL, a parameter’s value and its name', async (_, text) => {
    // JSON escapes both, so they reach the service.
    const refused = async (answer: Promise<Parameters<typeof expectRefusal>[0]>, place: string) =>
      expectRefusal(await answer, 'invalid_request', at(place))
    await refused(put(JSON.stringify({ title: text })), '/title')
    await refused(put(JSON.stringify({ description: text })), '/description')
    await refused(put(JSON.stringify({ [text]: 1 })), '')
    const query = { sql: text, analyticalDatabaseConfigId: shop.databaseId }
    await refused(shop.admin.page('POST', '/app/api/queries', query), '/sql')
    const run = (parameterValues: object) =>
      shop.admin.page('POST', `/app/api/references/${shortId}/runs`, { parameterValues })
    await refused(run({ word: text }), '/parameterValues/word')
    await refused(run({ [text]: 1 }), '/parameterValues')
    const parameters = [parameter('word', 'text', text)]
    await refused(shop.admin.page('PATCH', `/app/api/references/${shortId}`, { parameters }), '/parameters/0/defaultValue')
    await refused(shop.admin.page('POST', '/app/api/api-keys', { name: text }), '/name')
    await refused(shop.admin.page('POST', '/app/api/session', { email: text, password: 'x' }), '/email')
  })

  test('a NUL is rejected in a query string', async () => {
    expectRefusal(await shop.admin.api('GET', '/api/queries?cursor=a%00'), 'invalid_request', at('/cursor'))
    expectRefusal(await shop.admin.api('GET', '/api/queries?%00=1'), 'invalid_request', at(''))
  })

  test('any other text is returned unchanged', async () => {
    const title = '😀 \u202e\u200b é é \\ " \' ; -- \u0001 {{word}} <script>'
    expect((await put(JSON.stringify({ title }))).json().title).toBe(title)
    expect((await shop.admin.api('GET', `/api/queries/refs/${shortId}`)).json().title).toBe(title)
    const given = { parameterValues: { word: title } }
    const run = await endOf(service, shop, shop.admin.page('POST', `/app/api/references/${shortId}/runs`, given))
    expect(run.status).toBe('completed')
    expect((await shop.admin.page('GET', `/app/api/runs/${run.id}/result`)).json().rows).toEqual([[title]])
  })
})

describe('SQL', () => {
  const store = (sql: unknown) =>
    shop.admin.page('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId: shop.databaseId })

  test('that is too long is rejected, naming the limit; the longest allowed runs', async () => {
    expectRefusal(await store(`select '${'x'.repeat(1_000_000)}'`), 'invalid_request', at('/sql'))
    expectRefusal(await store(`select '${'x'.repeat(1024 * 1024)}'`), 'body_too_large')
    const longest = 'select 1 as one'.padEnd(256 * 1024)
    const query = await storeQuery(shop, longest)
    const run = await endOf(service, shop, shop.admin.api('POST', `/api/queries/${query.id}/refresh`))
    expect(run.status).toBe('completed')
  })

  test.each(['', ' \n', null, 12, ['select 1']])('cannot be %j', async (sql) => {
    expectRefusal(await store(sql), 'invalid_request', at('/sql'))
  })

  test.each([
    ['a syntax error', 'selec 1'],
    ['two statements', 'select 1; select 2'],
    ['a write', 'create table mine (a integer)'],
    ['a file', `select * from read_text('/etc/passwd')`],
    ['no statement at all', '-- nothing'],
    ['a division by a text', `select 1 / 'a'`],
  ])('%s fails its run with a reason, and the service keeps working', async (_, sql) => {
    const { id } = (await store(sql)).json()
    const run = await endOf(service, shop, shop.admin.api('POST', `/api/queries/${id}/refresh`))
    expect(run).toMatchObject({ status: 'failed', failureReason: expect.stringMatching(/\w{3}/) })
    expect(run.failureReason).not.toMatch(/in the log|\/tmp\//)
    expect((await shop.admin.api('GET', `/api/queries/${id}`)).json().latestRun.status).toBe('failed')
  })
})

test('a missing database file fails the run with a reason; runs work again when the file is back', async () => {
  const lost = await service.addOrganization('lost')
  const folder = databaseFolder({
    dataDirectory: service.services.dataDirectory,
    organizationId: lost.admin.caller.organizationId,
  })
  const { id } = await storeQuery(lost, 'select count(*) as numbers from numbers')
  const refresh = () => endOf(service, lost, lost.admin.api('POST', `/api/queries/${id}/refresh`))
  await rename(path.join(folder, 'numbers.duckdb'), path.join(folder, 'elsewhere'))
  const run = await refresh()
  expect(run).toMatchObject({ status: 'failed', failureReason: expect.stringMatching(/database/i) })
  expect(run.failureReason).not.toContain(folder)
  const tested = await lost.admin.page('POST', `/app/api/databases/${lost.databaseId}/test`)
  expect(tested.json()).toEqual({ ok: false, message: run.failureReason })
  const tables = await lost.admin.page('GET', `/app/api/databases/${lost.databaseId}/tables`)
  expectRefusal(tables, 'database_unreachable', { message: /database/i })
  await rename(path.join(folder, 'elsewhere'), path.join(folder, 'numbers.duckdb'))
  expect(await refresh()).toMatchObject({ status: 'completed', rowCount: 1 })
})
