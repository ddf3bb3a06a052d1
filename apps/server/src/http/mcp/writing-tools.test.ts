import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, listenAt, type TestClient } from '../../../testing/http/mcp-client.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { hasScope } from '../../domain/access/scopes.ts'
import type { Scope } from '../../model/api-key-scope.ts'
import { tools } from './tools.ts'

let service: TestService
let shop: TestOrganization
let url: string
let assistant: TestClient
const clients: TestClient[] = []

beforeAll(async () => {
  service = await startTestService('postgres')
  shop = await service.addOrganization('shop')
  url = await listenAt(service.app)
  assistant = await connectWith(['read', 'run', 'write', 'admin'])
})
afterAll(async () => {
  for (const { client } of clients) await client.close()
  await service.stop()
})

async function connectWith(scopes: Scope[] | undefined): Promise<TestClient> {
  const { key } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'assistant', ...(scopes && { scopes }) })).json<{ key: string }>()
  const client = await connect(url, key)
  clients.push(client)
  return client
}

const namesFor = async ({ client }: TestClient) => (await client.listTools()).tools.map(({ name }) => name)
const saved = (title: string) => ({ title, sql: 'select 7 as n', analyticalDatabaseConfigId: shop.databaseId })

test('a key is offered the tools of its scopes, and calls no others', async () => {
  const scopes: Scope[] = ['read:queries', 'write:queries']
  const limited = await connectWith(scopes)
  const allowed = tools.filter(({ scope }) => hasScope(scopes, scope)).map(({ name }) => name)
  expect(await namesFor(limited)).toEqual(allowed)
  expect(allowed).toEqual(expect.arrayContaining(['create_reference', 'update_reference', 'delete_reference', 'create_query']))
  expect(await limited.call('create_reference', saved('Of a limited key'))).toMatchObject({ title: 'Of a limited key' })
  expect(await limited.refusal('create_board', { title: 'No' })).toMatchObject({ code: 'scope_missing' })
  expect(await namesFor(assistant)).toEqual(tools.map(({ name }) => name))
})

test('a key without scopes of its own only reads and runs', async () => {
  const reader = await connectWith(undefined)
  expect((await namesFor(reader)).filter((name) => /^(create|update|delete)_/.test(name))).toEqual([])
  expect(await reader.refusal('create_reference', saved('No'))).toMatchObject({ code: 'scope_missing' })
})

test('every tool that changes something says so', async () => {
  const { tools: listed } = await assistant.client.listTools()
  for (const { name, annotations, inputSchema } of listed) {
    const [verb] = name.split('_')
    if (!['create', 'update', 'delete'].includes(verb!)) continue
    expect(annotations, name).toMatchObject({ readOnlyHint: false, destructiveHint: verb !== 'create', idempotentHint: verb !== 'create' })
    expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
  }
  const text = await readFile(new URL('../../../../../docs/mcp.md', import.meta.url), 'utf8')
  expect(listed.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  const forModels = listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  expect(text).toContain(`| ${(Math.round(JSON.stringify(forModels).length / 100) * 100).toLocaleString('en')}`)
})

test('saves a query, runs it, puts it on a board and reports on it', async () => {
  const folder = await assistant.call<{ id: string }>('create_folder', { name: 'Made by an assistant' })
  const { shortId } = await assistant.call<{ shortId: string }>('create_reference', { ...saved('Sevens'), folderId: folder.id })
  expect(await assistant.call('run_reference', { shortId })).toMatchObject({ result: { rows: [[7]] } })
  expect(await assistant.call('update_reference', { shortId, title: 'Seven' })).toMatchObject({ title: 'Seven' })

  const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
  const board = await assistant.call<{ shortId: string; tileIds: string[] }>('create_board', { title: 'Numbers', tiles: [tile] })
  expect(await assistant.call('read_board', { shortId: board.shortId })).toMatchObject({ version: 1, tiles: [{ place: [0, 0, 6, 4] }] })
  const key = { shortId: board.shortId, version: 1 }
  expect(await assistant.call('update_board', { ...key, title: 'More numbers' })).toMatchObject({ version: 2 })
  expect(await assistant.refusal('update_board', { ...key, title: 'Stale' })).toMatchObject({ code: 'version_conflict' })
  expect(await assistant.refusal('create_board', { title: 'Wide', tiles: [{ ...tile, width: 13 }] })).toMatchObject({ code: 'invalid_request' })
  expect(await assistant.refusal('delete_reference', { shortId })).toMatchObject({ code: 'reference_in_use' })

  const schedule = { cron: '0 8 * * *', timeZone: 'Europe/Berlin' }
  const given = { name: 'Daily', instructions: 'Say what changed.', references: [shortId], schedule }
  const { id: automationId } = await assistant.call<{ id: string }>('create_automation', given)
  expect(await assistant.call('update_automation', { automationId, enabled: false })).toMatchObject({ enabled: false, nextDueAt: null })
  expect(await assistant.refusal('create_automation', { ...given, references: ['abcdefghjk'] })).toMatchObject({ code: 'reference_not_found' })
  expect(await assistant.call('delete_automation', { automationId })).toEqual({ id: automationId })

  expect(await assistant.refusal('delete_folder', { folderId: folder.id })).toMatchObject({ code: 'folder_not_empty' })
  await assistant.call('delete_board', { shortId: board.shortId, version: 2 })
  await assistant.call('delete_reference', { shortId })
  expect(await assistant.refusal('get_reference', { shortId })).toMatchObject({ code: 'reference_not_found' })
  expect(await assistant.call('update_folder', { folderId: folder.id, name: 'Empty' })).toMatchObject({ name: 'Empty' })
  expect(await assistant.call('delete_folder', { folderId: folder.id })).toMatchObject({ name: 'Empty' })
})

test('defines metrics', async () => {
  const metric = {
    name: 'Revenue',
    description: 'Without tax.',
    unit: null,
    synonyms: [],
    ownerId: null,
    definition: { kind: 'sql', databaseId: shop.databaseId, sql: 'sum(amount)' },
  }
  const { id: metricId } = await assistant.call<{ id: string }>('create_metric', metric)
  expect(await assistant.call('list_metrics')).toMatchObject({ items: [{ id: metricId, definition: 'sum(amount)' }] })
  expect(await assistant.call('update_metric', { ...metric, metricId, version: 1, unit: 'EUR' })).toMatchObject({ version: 2 })
  expect(await assistant.refusal('update_metric', { ...metric, metricId, version: 1 })).toMatchObject({ code: 'knowledge_changed' })
  expect(await assistant.call('delete_metric', { metricId })).toMatchObject({ id: metricId })
})

test('never returns the secret of a webhook endpoint', async () => {
  const created = await assistant.call<{ id: string }>('create_webhook_endpoint', {
    url: 'https://hooks.example/orders',
    eventTypes: ['automation.run.completed'],
  })
  expect(created).toMatchObject({ endpointUrl: 'https://hooks.example/orders', state: 'enabled' })
  expect(JSON.stringify(created)).not.toContain('whsec_')
  const endpointId = created.id
  await assistant.call('update_webhook_endpoint', { endpointId, description: 'Orders' })
  expect(JSON.stringify(await assistant.call('list_webhook_endpoints'))).not.toContain('whsec_')
  await assistant.call('delete_webhook_endpoint', { endpointId })
  expect(await assistant.refusal('delete_webhook_endpoint', { endpointId })).toMatchObject({ code: 'endpoint_not_found' })
})

test('a member cannot define metrics, whatever the scopes of the key', async () => {
  const member = await shop.addPerson('member', 'member@shop.test')
  const { key } = (await member.page('POST', '/app/api/api-keys', { name: 'all', scopes: ['read', 'admin'] })).json<{ key: string }>()
  const client = await connect(url, key)
  clients.push(client)
  expect(await client.refusal('delete_metric', { metricId: 'knowledge_x' })).toMatchObject({ code: 'forbidden' })
  expect(await client.refusal('list_webhook_endpoints')).toMatchObject({ code: 'forbidden' })
})
