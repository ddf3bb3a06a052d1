import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '@querypost/server/configuration'
import { systemClock } from '@querypost/server/ports'
import { openTestStore, type TestStore } from '@querypost/server/testing/suites'
import { runExamination, type Installation } from './examination.ts'
import { store } from './store.ts'

let folder: string
let server: TestStore
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-doctor-'))
  server = await openTestStore('postgres')
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

async function check(environment: Record<string, string>, options: Partial<Installation> = {}) {
  const workFolder = await mkdtemp(path.join(folder, 'work-'))
  const checks = await runExamination(store, {
    environment,
    clock: systemClock,
    fetch,
    signal: new AbortController().signal,
    config: readConfig(environment),
    url: 'http://127.0.0.1:1',
    ownerId: undefined,
    workFolder,
    ...options,
  })
  return checks.map(({ name, state, message }) => `${state} ${name}: ${message}`)
}
async function newDirectory(): Promise<string> {
  return mkdtemp(path.join(folder, 'data-'))
}

test('checks the version, migrations and clock of PostgreSQL', async () => {
  const found = await check({ DATABASE_URL: server.url!, SECRET_KEY: 'k'.repeat(32), DATA_DIR: await newDirectory() })
  expect(found).toEqual([
    expect.stringMatching(/^ok store: PostgreSQL at .*, version 1\d\.\d+\.$/),
    expect.stringMatching(/^ok migrations: All \d+ applied\.$/),
    'ok store clock: Agrees with this machine’s clock.',
    'skipped databases: None configured.',
    'skipped channels: None configured.',
  ])
  const without = await check({ DATABASE_URL: server.url!, DATA_DIR: await newDirectory() })
  expect(without.at(-1)).toMatch(/^failed databases: The key for the stored secrets is missing/)
})

test('reports a PostgreSQL clock that differs', async () => {
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() - 3_600_000) }
  const found = await check(
    { DATABASE_URL: server.url!, SECRET_KEY: 'k'.repeat(32), DATA_DIR: await newDirectory() },
    { clock },
  )
  expect(found[2]).toMatch(/^failed store clock: The clock of PostgreSQL is 1 hour.* ahead of this machine’s\.$/)
})

test('reports an unreachable PostgreSQL without its password', async () => {
  const [found] = await check({
    DATABASE_URL: 'postgres://me:hushhush@127.0.0.1:1/nothing',
    DATA_DIR: await newDirectory(),
  })
  expect(found).toMatch(/^failed store: Can’t connect to PostgreSQL at 127\.0\.0\.1:1\/nothing: .*ECONNREFUSED/)
  expect(found).not.toContain('hushhush')
})

test('reports an embedded store that is missing, in use or broken', async () => {
  const DATA_DIR = await newDirectory()
  expect(await check({ DATA_DIR })).toEqual(['ok store: Embedded; the first start creates it.'])
  await mkdir(path.join(DATA_DIR, 'store'))
  expect((await check({ DATA_DIR }, { ownerId: 42 }))[0]).toMatch(/^skipped store: Embedded, in use by process 42/)
  expect((await check({ DATA_DIR }))[0]).toMatch(/^failed store: .* contains no store\.$/)
  await writeFile(path.join(DATA_DIR, 'store/PG_VERSION'), '18')
  expect((await check({ DATA_DIR }))[0]).toMatch(/^failed store: Can’t open the store/)
})
