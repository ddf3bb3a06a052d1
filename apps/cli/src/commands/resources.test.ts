import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '@querypost/server/testing/suites'
import { tryCommand } from '../../testing/command-context.ts'

let service: TestService
let shop: TestOrganization
let url: string
let folder: string

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-resources-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

const run = (args: string[], apiKey = shop.admin.apiKey) =>
  tryCommand(args, { environment: { QUERYPOST_URL: url, QUERYPOST_API_KEY: apiKey } })

async function made<Answer>(...args: string[]): Promise<Answer> {
  const { exitCode, stdout, stderr } = await run([...args, '--json'])
  expect(exitCode, stderr).toBe(0)
  return JSON.parse(stdout) as Answer
}

test('saves a query from a file, changes it unless someone else did, and deletes it', async () => {
  const file = path.join(folder, 'orders.sql')
  await writeFile(file, 'select 7 as orders')
  const { id } = await made<{ id: string }>('folders', 'create', '--name', 'Finance')
  const given = ['--title', 'Orders', '--sql', `@${file}`, '--database', shop.databaseId, '--folder', id]
  const saved = await made<{ shortId: string; version: number; currentQuery: object }>('references', 'create', ...given)
  expect(saved).toMatchObject({ version: 1, currentQuery: { sql: 'select 7 as orders' } })
  const { shortId } = saved

  expect((await run(['references', 'list'])).stdout).toMatch(new RegExp(`${shortId} +Orders`))
  expect((await run(['references', 'get', shortId])).stdout).toMatch(/^title +Orders$/m)
  expect(await made('references', 'update', shortId, '--title', 'All orders', '--if-version', '1')).toMatchObject({ version: 2 })
  const stale = await run(['references', 'update', shortId, '--title', 'Late', '--if-version', '1'])
  expect(stale).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('errors#version_conflict') })

  const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
  const board = await made<{ shortId: string }>('boards', 'create', '--title', 'Numbers', '--data', JSON.stringify({ tiles: [tile] }))
  expect(await made('boards', 'update', board.shortId, '--title', 'Figures')).toMatchObject({ title: 'Figures', version: 2 })
  expect((await run(['references', 'delete', shortId])).stderr).toContain('errors#reference_in_use')
  await made('boards', 'delete', board.shortId)
  await made('references', 'delete', shortId)
})

test('creates an automation with a schedule and an endpoint with its secret', async () => {
  const { shortId } = await made<{ shortId: string }>('references', 'create', '--title', 'A', '--sql', 'select 1', '--database', shop.databaseId)
  const schedule = ['--cron', '0 8 * * *', '--time-zone', 'Europe/Berlin']
  const given = ['--name', 'Daily', '--instructions', 'Tell.', '--reference', shortId]
  const automation = await made<{ id: string }>('automations', 'create', ...given, ...schedule)
  expect(automation).toMatchObject({ references: [shortId], schedule: { cron: '0 8 * * *', timeZone: 'Europe/Berlin' } })
  expect(await made('automations', 'update', automation.id, '--data', '{"enabled": false}')).toMatchObject({ enabled: false })
  const endpoint = await run(['endpoints', 'create', '--address', 'https://hooks.example/1', '--event', 'automation.run.completed'])
  expect(endpoint.stdout).toMatch(/^secret +whsec_/m)
  expect((await run(['endpoints', 'list'])).stdout).not.toContain('whsec_')
})

test('manages metrics and question sets', async () => {
  const definition = { kind: 'sql', databaseId: shop.databaseId, sql: 'count(*)' }
  const metric = { name: 'Orders', description: '', unit: null, synonyms: [], ownerId: null, definition }
  const { id } = await made<{ id: string }>('metrics', 'create', '--data', JSON.stringify(metric))
  expect(await made('metrics', 'update', id, '--data', JSON.stringify(metric), '--name', 'All orders')).toMatchObject({ version: 2 })
  expect((await run(['metrics', 'delete', id])).exitCode).toBe(0)
  expect(await made('databases', 'list')).toMatchObject({ items: [{ id: shop.databaseId }] })
  expect((await run(['question-sets', 'list'])).stderr).toContain('No question sets yet.')
})

test('rejects wrong usage before it sends anything, and reports what the service rejects', async () => {
  expect(await run(['folders', 'get', 'x'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is not possible here') })
  expect(await run(['folders', 'creat'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean "create"?') })
  expect(await run(['folders'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Say what to do: list, create') })
  expect(await run(['references', 'update'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Name the id') })
  expect(await run(['boards', 'create', '--data', '[]'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('must be a JSON object') })
  expect(await run(['references', 'create', '--sql', '@/nowhere.sql'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Can’t read') })
  expect(await run(['references', 'create', '--title', 'A'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('/sql is required') })
  const { key } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'reader', scopes: ['read'] })).json<{ key: string }>()
  const refused = await run(['folders', 'create', '--name', 'No'], key)
  expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('errors#scope_missing') })
})
