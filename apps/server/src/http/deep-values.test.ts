import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { nestedTooDeeply } from '@querypost/visualization'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseFolder } from '../domain/databases/engines.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { connect, listenAt } from '../../testing/http/mcp-client.ts'
import { createAutomation } from '../../testing/http/automation-requests.ts'
import { endOf, storeQuery, storeReference } from '../../testing/http/requests.ts'

/** A result with JSON nested 8,000 levels deep: stored and sent exactly, never traversed. */
const levels = 8_000
const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
const sql = `select 1 as n, (repeat('[', ${levels}) || repeat(']', ${levels}))::json as deep`

let service: TestService
let shop: TestOrganization
let runId: string
let queryId: string
beforeAll(async () => {
  service = await startTestService('postgres')
  shop = await service.addOrganization('shop')
  await addDeepTable()
  queryId = (await storeQuery(shop, sql)).id
  runId = (await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${queryId}/runs`))).id
})
afterAll(() => service.stop())

test('the result route and the downloads send it exactly', async () => {
  const result = await shop.admin.api('GET', `/api/queries/${queryId}/result`)
  expect(result.statusCode).toBe(200)
  expect(result.body).toContain(deep)
  const download = (format: string) => shop.admin.page('GET', `/app/api/runs/${runId}/result?format=${format}`)
  for (const format of ['json', 'jsonl', 'csv']) expect((await download(format)).body, format).toContain(deep)
  for (const format of ['parquet', 'arrow']) expect((await download(format)).statusCode, format).toBe(200)
  expect(gunzipSync((await service.services.results.open(runId))!.bytes as Buffer).toString()).toContain(deep)
})

test.each([
  ['table', ''],
  ['number', '<BarChart><Bar dataKey="deep" /></BarChart>'],
  ['bar', '<BarChart><XAxis dataKey="deep" /><Bar dataKey="n" /></BarChart>'],
  ['line', '<LineChart><XAxis dataKey="n" /><Line dataKey="deep.a" /></LineChart>'],
])('draws the chart image of type %s', async (type, jsxConfig) => {
  const marginConfig = { top: 0, right: 0, bottom: 0, left: 0 }
  const { shortId } = await storeReference(shop, queryId, { visualization: { type, jsxConfig, marginConfig } })
  const answer = await shop.admin.page('GET', `/q/${shortId}/chart.png`)
  expect(answer.statusCode).toBe(200)
})

test('MCP shows a message instead', async () => {
  const assistant = await connect(await listenAt(service.app), shop.admin.apiKey)
  const answer = await assistant.call<{ rows: unknown[][] }>('read_result', { runId })
  await assistant.client.close()
  expect(answer.rows).toEqual([[1, nestedTooDeeply]])
})

test('the digest completes and keeps the message in its preview', async () => {
  const { shortId } = await storeReference(shop, queryId, { title: 'Deep' })
  const automation = await createAutomation(shop, { references: [shortId] })
  const started = await shop.admin.page('POST', `/app/api/automations/${automation.id}/runs`)
  const { id, chatShortId } = started.json<{ id: string; chatShortId: string }>()
  await expect
    .poll(async () => (await shop.admin.page('GET', `/app/api/automation-runs/${id}`)).json<{ status: string }>().status)
    .toBe('completed')
  const chat = await shop.admin.page('GET', `/app/api/chats/${chatShortId}`)
  expect(chat.body).toContain(nestedTooDeeply)
})

test('the table preview shows the message too', async () => {
  const answer = await shop.admin.page('GET', `/app/api/databases/${shop.databaseId}/tables/main/deep/preview`)
  expect(answer.json()).toMatchObject({ rows: [[1, nestedTooDeeply]] })
})

async function addDeepTable() {
  const { dataDirectory } = service.services
  const { organizationId } = shop.admin.caller
  const instance = await DuckDBInstance.create(path.join(databaseFolder({ dataDirectory, organizationId }), 'numbers.duckdb'))
  const connection = await instance.connect()
  await connection.run(`create table deep as ${sql}`)
  connection.closeSync()
  instance.closeSync()
}
