import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '@querypost/server/configuration'
import { systemClock } from '@querypost/server/ports'
import { openTestStore, type TestStore } from '@querypost/server/testing/suites'
import { examine, type Installation } from './examine.ts'
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

async function look(environment: Record<string, string>, options: Partial<Installation> = {}) {
  const workFolder = await mkdtemp(path.join(folder, 'work-'))
  const checks = await examine(store, {
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

test('PostgreSQL: its version, migrations and clock', async () => {
  const found = await look({ DATABASE_URL: server.url!, SECRET_KEY: 'k'.repeat(32), DATA_DIR: await newDirectory() })
  expect(found).toEqual([
    expect.stringMatching(/^ok store: PostgreSQL at .*, version 1\d\.\d+\.$/),
    expect.stringMatching(/^ok migrations: All \d+ are applied\.$/),
    'ok store’s clock: It agrees with this machine’s.',
    'skipped databases: None is configured.',
  ])
  const without = await look({ DATABASE_URL: server.url!, DATA_DIR: await newDirectory() })
  expect(without.at(-1)).toMatch(/^failed databases: There is a store, and no key/)
})

test('PostgreSQL with a clock of its own', async () => {
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() - 3_600_000) }
  const found = await look(
    { DATABASE_URL: server.url!, SECRET_KEY: 'k'.repeat(32), DATA_DIR: await newDirectory() },
    { clock },
  )
  expect(found[2]).toMatch(/^failed store’s clock: The clock of PostgreSQL is 1 hour.* ahead of this machine’s\.$/)
})

test('PostgreSQL that is not there, without its password', async () => {
  const [found] = await look({
    DATABASE_URL: 'postgres://me:hushhush@127.0.0.1:1/nothing',
    DATA_DIR: await newDirectory(),
  })
  expect(found).toMatch(/^failed store: PostgreSQL at 127\.0\.0\.1:1\/nothing cannot be used: .*ECONNREFUSED/)
  expect(found).not.toContain('hushhush')
})

test('an embedded store that is missing, or none', async () => {
  const DATA_DIR = await newDirectory()
  expect(await look({ DATA_DIR })).toEqual(['ok store: Embedded; the first start makes it.'])
  await mkdir(path.join(DATA_DIR, 'store'))
  expect((await look({ DATA_DIR }, { ownerId: 42 }))[0]).toMatch(/^skipped store: Embedded, and in use by process 42/)
  expect((await look({ DATA_DIR }))[0]).toMatch(/^failed store: .* holds no store\.$/)
  await writeFile(path.join(DATA_DIR, 'store/PG_VERSION'), '18')
  expect((await look({ DATA_DIR }))[0]).toMatch(/^failed store: It cannot be opened/)
})
