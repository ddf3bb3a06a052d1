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
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-dbt-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

const run = (...args: string[]) => command('import', ...args)
const command = (...args: string[]) =>
  tryCommand(['dbt', ...args], { environment: { QUERYPOST_URL: url, QUERYPOST_API_KEY: shop.admin.apiKey } })

const manifest = (description: string, version = 12, more: object = {}) => ({
  metadata: { dbt_schema_version: `https://schemas.getdbt.com/dbt/manifest/v${version}.json`, project_name: 'shop' },
  nodes: {
    'model.shop.numbers': {
      resource_type: 'model',
      name: 'NUMBERS',
      schema: 'main',
      description,
      original_file_path: 'models/numbers.sql',
      columns: { N: { name: 'N', description: 'A number from dbt.' } },
      depends_on: { nodes: ['source.shop.raw'] },
      config: { materialized: 'table' },
    },
    ...more,
  },
  sources: { 'source.shop.raw': { resource_type: 'source', name: 'raw', schema: 'main' } },
})

interface Table {
  name: string
  description: string | null
  version: number
  dbt: { description: string; builtFrom: string[]; sourceUrl: string | null } | null
  columns: { name: string; dbtDescription: string | null }[]
}
async function numbersTable(search = 'numbers'): Promise<Table | undefined> {
  const { items } = (await shop.admin.page('GET', `/app/api/knowledge/tables?search=${search}`)).json<{ items: Table[] }>()
  return items.find(({ name }) => name === 'numbers')
}

test('imports descriptions, replaces what an earlier import wrote, and keeps what people wrote', async () => {
  await numbersTable()
  const file = path.join(folder, 'manifest.json')
  await writeFile(file, JSON.stringify(manifest('Counted manually.')))
  const links = ['--repository-url', 'https://git.example/shop/blob/main']
  const { exitCode, stdout, stderr } = await run(folder, '--database', shop.databaseId, ...links)
  expect(exitCode, stderr).toBe(0)
  expect(stdout).toBe('Imported shop: 2 tables (1 in the database), 1 described columns, 0 metrics.\n')
  expect(await numbersTable('manually')).toMatchObject({
    description: null,
    dbt: { description: 'Counted manually.', builtFrom: ['main.raw'], sourceUrl: 'https://git.example/shop/blob/main/models/numbers.sql' },
    columns: [{ name: 'n', dbtDescription: 'A number from dbt.' }],
  })

  const own = { databaseId: shop.databaseId, schema: 'main', table: 'numbers', description: 'Ours.', columns: {}, version: 0 }
  expect((await shop.admin.page('PUT', '/app/api/knowledge/tables', own)).statusCode).toBe(200)
  await writeFile(file, JSON.stringify(manifest('Counted again.')))
  const again = await run(folder, '--database', shop.databaseId, '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({ project: 'shop', manifestVersion: 12, tableCount: 2 })
  expect(await numbersTable()).toMatchObject({ description: 'Ours.', version: 1, dbt: { description: 'Counted again.', sourceUrl: null } })
  expect(await numbersTable('manually')).toBeUndefined()
  const imports = (await shop.admin.api('GET', '/api/knowledge/dbt')).json<{ items: object[] }>().items
  expect(imports).toMatchObject([{ project: 'shop', databaseId: shop.databaseId }])

  await writeFile(file, JSON.stringify({ ...manifest('Gone.'), nodes: {} }))
  expect((await run(folder, '--database', shop.databaseId)).exitCode).toBe(0)
  expect(await numbersTable()).toMatchObject({ description: 'Ours.', dbt: null })

  expect((await command('list')).stdout).toMatch(/^project .*\n.*\nshop +db_\w+ +1 +0 /)
  expect(JSON.parse((await command('list', '--json')).stdout).items).toHaveLength(1)
  expect(await command('delete', 'shop', '--database', shop.databaseId)).toMatchObject({ exitCode: 0, stdout: 'Deleted the import of shop, with 1 tables.\n' })
  expect((await command('list')).stderr).toContain('No dbt projects yet')
})

test('a deletion needs a project that was imported, and a database', async () => {
  expect(await command('delete')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Name the project') })
  expect(await command('delete', 'shop')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--database') })
  const unknown = await command('delete', 'none', '--database', shop.databaseId)
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('errors#knowledge_not_found') })
})

test('a repeated import is recognized by its content', async () => {
  const address = `/api/knowledge/dbt?databaseId=${shop.databaseId}`
  const send = (description: string) => shop.admin.api('POST', address, { manifest: manifest(description) }, { 'idempotency-key': 'import-1' })
  const first = await send('Counted.')
  expect(first.statusCode, first.body).toBe(200)
  const repeated = await send('Counted.')
  expect([repeated.statusCode, repeated.headers['idempotency-replayed'], repeated.body]).toEqual([200, 'true', first.body])
  // As long as the first one.
  const other = await send('Numbers.')
  expect([other.statusCode, other.json<{ code: string }>().code]).toEqual([409, 'idempotency_key_reused'])
})

test('rejects old manifests, unknown databases and missing files', async () => {
  const file = path.join(folder, 'manifest.json')
  await writeFile(file, JSON.stringify(manifest('Old.', 8)))
  const old = await run(folder, '--database', shop.databaseId)
  expect(old).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has schema version 8') })
  expect(await run(folder, '--database', 'db_none')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('errors#database_not_found') })
  expect(await run(folder)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--database') })
  expect(await run(path.join(folder, 'none'), '--database', shop.databaseId)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Can’t read') })
})
