import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '@querypost/server/testing/suites'
import { pollPause } from '@querypost/server/testing'
import type { Context } from '../command.ts'
import { tryCommand } from '../../testing/command-context.ts'

let service: TestService
let shop: TestOrganization
let url: string
let shortId: string
let folder: string

beforeAll(async () => {
  service = await startTestService('postgres')
  shop = await service.addOrganization('shop')
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-boards-'))
  const page = async (route: string, body: object) => (await shop.admin.page('POST', `/app/api/${route}`, body)).json()
  const reference = async (sql: string, content: object) => {
    const query = await page('queries', { sql, analyticalDatabaseConfigId: shop.databaseId })
    return (await page('references', { queryId: query.id, ...content })).shortId as string
  }
  const least = { parameters: [{ name: 'least', type: 'number', defaultValue: '8' }] }
  const good = await reference('select n from numbers where n >= {{least}}', { title: 'Large numbers', ...least })
  const bad = await reference("select error('broken')", { title: 'Broken' })
  const tile = { kind: 'reference', width: 6, height: 4, y: 0 }
  const board = await page('boards', {
    title: 'Numbers',
    parameters: [{ name: 'from', type: 'number', defaultValue: '8' }],
    tiles: [
      { ...tile, id: 'good', referenceShortId: good, x: 0, title: 'Large', parameterMapping: { least: 'from' } },
      { ...tile, id: 'bad', referenceShortId: bad, x: 6 },
    ],
  })
  shortId = board.shortId
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

/** Waits between polls end once the service had a turn; longer ones guard against silence and never end. */
const clock: Context['clock'] = {
  now: () => service.clock.now(),
  monotonicMs: () => 0,
  machineMs: () => service.clock.machineMs(),
  sleep: (ms, signal) =>
    ms < 20_000
      ? pollPause()
      : new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
}
const command = (...args: string[]) =>
  tryCommand(['board', ...args], { environment: { QUERYPOST_URL: url, QUERYPOST_API_KEY: shop.admin.apiKey }, clock })

test('show names the tiles before they have results', async () => {
  const { exitCode, stdout } = await command('show', `https://querypost.test/b/${shortId}`)
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^Numbers\n/)
  expect(stdout).toMatch(/Large +\w{10} +missing +none/)
})

test('refresh runs the tiles, shows each state, and fails if one fails', async () => {
  const { exitCode, stdout } = await command('refresh', shortId)
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/Large +\w{10} +ready +now +run_/)
  expect(stdout).toMatch(/bad +\w{10} +failed +.*broken/)
  const { exitCode: other, stdout: json } = await command('refresh', shortId, '--param', 'from=9', '--json')
  expect(other).toBe(1)
  expect(JSON.parse(json).tiles).toMatchObject([{ tileId: 'good', status: 'ready' }, { tileId: 'bad', status: 'failed' }])
})

test('list shows permalinks, and JSON with the tiles', async () => {
  const { exitCode, stdout } = await command('list')
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(new RegExp(`https://querypost.test/b/${shortId} +2 +Numbers`))
  expect(JSON.parse((await command('list', '--json')).stdout).items).toMatchObject([{ shortId, version: 1 }])
})

test('image writes a PNG file', async () => {
  const file = path.join(folder, 'board.png')
  const { exitCode, stderr } = await command('image', shortId, '--output', file)
  expect(exitCode, stderr).toBe(0)
  expect((await readFile(file)).subarray(0, 8)).toEqual(Buffer.from('89504e470d0a1a0a', 'hex'))
  expect((await command('image', shortId, '--param', 'from=9', '--output', file)).exitCode).toBe(0)
  expect((await command('image', shortId, '--param', 'from=x', '--output', file)).stderr).toContain('"from" does not fit')
  expect((await command('image', shortId, '--output', path.join(folder, 'none', 'x.png'))).stderr).toContain('Can’t write')
})

test('rejects unknown boards and parameters', async () => {
  expect(await command('show')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Name one board') })
  expect(await command('show', '???')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is not the permalink') })
  expect(await command('show', 'abcdefghjk')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no board') })
  const misspelled = await command('refresh', shortId, '--param', 'form=9')
  expect(misspelled).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean "from"?') })
})
