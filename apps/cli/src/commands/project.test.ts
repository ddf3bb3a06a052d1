import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startTestService, type TestOrganization, type TestService } from '@querypost/server/testing/suites'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tryCommand } from '../../testing/command-context.ts'

let service: TestService
let url: string
let shop: TestOrganization
let folder: string
let count = 0
const folders: string[] = []

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await service.stop()
  await Promise.all(folders.map((each) => rm(each, { recursive: true })))
})
beforeEach(async () => {
  shop = await service.addOrganization(`shop${(count += 1)}`)
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-files-'))
  folders.push(folder)
})

const run = (args: string[], environment: Record<string, string> = {}) =>
  tryCommand([...args, folder], { environment: { QUERYPOST_URL: url, QUERYPOST_API_KEY: shop.admin.apiKey, ...environment } })
const file = (name: string) => path.join(folder, name)
const text = (name: string) => readFile(file(name), 'utf8')
const edit = async (name: string, from: string, to: string) => writeFile(file(name), (await text(name)).replace(from, to))

async function save(title: string, sql: string, folderId?: string): Promise<string> {
  const body = { title, sql, analyticalDatabaseConfigId: shop.databaseId, ...(folderId !== undefined && { folderId }) }
  return (await shop.admin.api('POST', '/api/references', body)).json<{ shortId: string }>().shortId
}
const queryOf = async (shortId: string) => (await shop.admin.api('GET', `/api/references/${shortId}`)).json<{ title: string; currentQuery: { sql: string } }>()

test('pull writes files that people like to read, and a second pull changes nothing', async () => {
  const { id: folderId } = (await shop.admin.api('POST', '/api/folders', { name: 'Finance Team' })).json<{ id: string }>()
  const shortId = await save('Revenue by month', 'select sum(n)\nfrom numbers', folderId)
  const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
  await shop.admin.api('POST', '/api/boards', { title: 'Month', tiles: [tile] })
  const first = await run(['pull'])
  expect(first, first.stderr).toMatchObject({ exitCode: 0, stdout: 'write   finance-team/folder.yaml\nwrite   finance-team/revenue-by-month.sql\nwrite   month.board.yaml\n' })
  expect(await text('finance-team/revenue-by-month.sql')).toBe('-- title: Revenue by month\n-- database: Numbers\n\nselect sum(n)\nfrom numbers\n')
  expect(await text('month.board.yaml')).toBe('title: Month\ntiles:\n  - query: finance-team/revenue-by-month.sql\n    place: { x: 0, y: 0, width: 6, height: 4 }\n')
  expect(await run(['pull'])).toMatchObject({ exitCode: 0, stdout: '', stderr: 'The files are up to date.\n' })
  expect(await run(['push', '--check'])).toMatchObject({ exitCode: 0, stdout: '' })
})

test('push renames, changes, creates and deletes, and says so before', async () => {
  const renamed = await save('Revenue', 'select n\nfrom numbers\nwhere n > 1')
  const deleted = await save('Old', 'select 2')
  await run(['pull'])
  await edit('revenue.sql', 'title: Revenue', 'title: Net revenue')
  await edit('revenue.sql', 'n > 1', 'n > 10')
  await rename(file('revenue.sql'), file('net.sql'))
  await rm(file('old.sql'))
  await writeFile(file('new.sql'), '-- title: New\n-- database: Numbers\n\nselect 3\n')
  const words = 'rename    net.sql  the query “Revenue” to “Net revenue”, and change SQL\ncreate    new.sql  the query “New”\n'
  expect(await run(['push', '--check'])).toMatchObject({ exitCode: 2, stdout: words, stderr: expect.stringContaining('old.sql: the query “Old” has no file any more') })
  expect(await run(['push'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Add --yes') })
  expect((await queryOf(renamed)).title).toBe('Revenue')
  const pushed = await run(['push', '--yes', '--delete'])
  expect(pushed, pushed.stderr).toMatchObject({ exitCode: 0, stdout: `${words}delete    old.sql  the query “Old”\n` })
  expect(await queryOf(renamed)).toMatchObject({ title: 'Net revenue', currentQuery: { sql: 'select n\nfrom numbers\nwhere n > 10' } })
  expect((await shop.admin.api('GET', `/api/references/${deleted}`)).statusCode).toBe(404)
  expect(await run(['push', '--yes', '--delete'])).toMatchObject({ exitCode: 0, stdout: '', stderr: 'There is nothing to push.\n' })
  expect(await run(['pull'])).toMatchObject({ exitCode: 0, stdout: '' })
  expect((await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()).toEqual(['net.sql', 'new.sql'])
})

test('push and pull never overwrite a change of the other side', async () => {
  const both = await save('Both', 'select 1')
  const there = await save('There', 'select 1')
  await run(['pull'])
  await edit('both.sql', 'select 1', 'select 2')
  await shop.admin.api('PATCH', `/api/references/${both}`, { sql: 'select 3' })
  await shop.admin.api('PATCH', `/api/references/${there}`, { title: 'There, renamed' })
  const conflict = 'conflict  both.sql  the query “Both” has changed on the service since you pulled, and differs in SQL\n'
  expect(await run(['push', '--yes'])).toMatchObject({ exitCode: 1, stdout: conflict })
  expect(await run(['push', '--check'])).toMatchObject({ exitCode: 2, stdout: conflict })
  const pulled = await run(['pull'])
  expect(pulled).toMatchObject({ exitCode: 1, stdout: 'write   there-renamed.sql\nremove  there.sql\n', stderr: expect.stringContaining('both.sql: the query “Both” has changed here and on the service') })
  expect(await text('both.sql')).toContain('select 2')
  expect((await queryOf(both)).currentQuery.sql).toBe('select 3')
})

test('pushes the same files into several environments', async () => {
  await save('Revenue', 'select 1')
  await run(['pull'])
  const production = await service.addOrganization(`production${count}`)
  await writeFile(file('querypost.yaml'), `version: 1\nenvironments:\n  staging:\n    url: ${url}\n    apiKeyVariable: STAGING_KEY\n  production:\n    url: ${url}\n    apiKeyVariable: PRODUCTION_KEY\n`)
  const keys = { STAGING_KEY: shop.admin.apiKey, PRODUCTION_KEY: production.admin.apiKey }
  expect(await run(['push', '--yes'], keys)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--env: staging, production') })
  expect(await run(['push', '--yes', '--env', 'production'], keys)).toMatchObject({ exitCode: 0, stdout: 'create    revenue.sql  the query “Revenue”\n' })
  expect(await run(['push', '--check', '--env', 'staging'], keys)).toMatchObject({ exitCode: 0 })
  expect(await run(['push', '--env', 'production'], { STAGING_KEY: 'x' })).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('PRODUCTION_KEY') })
  expect(await run(['push', '--env', 'test'], keys)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no environment "test"') })
})

test('names the file of every error', async () => {
  await run(['pull'])
  await writeFile(file('wrong.sql'), 'select 1\n')
  await writeFile(file('a.board.yaml'), 'title: A\ntile: []\n')
  expect(await run(['push', '--yes'])).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/a\.board\.yaml has the unknown field "tile"[^]*wrong\.sql must begin with a comment/) })
  await rm(file('a.board.yaml'))
  await writeFile(file('wrong.sql'), '-- title: Wrong\n-- database: Nowhere\n\nselect 1\n')
  expect(await run(['push', '--check'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('wrong.sql: There is no database named "Nowhere"') })
  await rm(file('wrong.sql'))
  await writeFile(file('b.board.yaml'), 'title: B\ntiles:\n  - query: gone.sql\n    place: { x: 0, y: 0, width: 1, height: 1 }\n')
  expect(await run(['push', '--yes'])).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('b.board.yaml  names gone.sql, which is not among the files') })
})

test('push marks files as managed, and pull keeps them; without managed, they are released', async () => {
  const { id: folderId } = (await shop.admin.api('POST', '/api/folders', { name: 'Finance' })).json<{ id: string }>()
  const inside = await save('Revenue', 'select 1', folderId)
  const outside = await save('Trial', 'select 2')
  await run(['pull'])
  const without = await text('querypost.yaml')
  await writeFile(file('querypost.yaml'), 'version: 1\nmanaged:\n  url: https://git.example/blob/main\n  folders: [finance/]\n')
  const words = 'manage    2 items in Git: read-only on the pages\n'
  expect(await run(['push', '--check'])).toMatchObject({ exitCode: 2, stdout: words })
  expect(await run(['push', '--yes'])).toMatchObject({ exitCode: 0, stdout: words, stderr: 'Applied 2 changes.\n' })
  const refused = await shop.admin.api('PATCH', `/api/references/${inside}`, { title: 'Mine' })
  expect(refused.json()).toMatchObject({ code: 'managed_by_files', message: expect.stringContaining('https://git.example/blob/main/finance/revenue.sql') })
  expect((await shop.admin.api('PATCH', `/api/references/${outside}`, { description: 'Mine' })).statusCode).toBe(200)
  await edit('finance/revenue.sql', 'select 1', 'select 3')
  await writeFile(file('finance/new.sql'), '-- title: New\n-- database: Numbers\n\nselect 4\n')
  const pushed = await run(['push', '--yes'])
  expect(pushed, pushed.stderr).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/create {4}finance\/new\.sql [^]*change {4}finance\/revenue\.sql [^]*manage {4}1 item in Git/) })
  expect((await queryOf(inside)).currentQuery.sql).toBe('select 3')
  expect(await run(['pull'])).toMatchObject({ exitCode: 0, stdout: 'write   trial.sql\n' })
  expect(await run(['push', '--check'])).toMatchObject({ exitCode: 0, stdout: '' })
  await writeFile(file('querypost.yaml'), without)
  expect(await run(['push', '--yes'])).toMatchObject({ exitCode: 0, stdout: 'release   3 items to be edited on the pages again\n' })
  expect((await shop.admin.api('PATCH', `/api/references/${inside}`, { title: 'Mine' })).statusCode).toBe(200)
})

test.each([
  ['managed: yes', 'needs a url that begins with https://'],
  ['managed: { url: "javascript:alert(1)" }', 'needs a url that begins with https://'],
  ['managed: { url: https://git.example/, folders: finance }', 'needs a list of folders'],
])('rejects %s in querypost.yaml', async (line, message) => {
  await writeFile(file('querypost.yaml'), `version: 1\n${line}\n`)
  expect(await run(['push', '--yes'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) })
})
