import { fileEngineOpeners } from '../../engines/registry/openers.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Engine } from '../../engines/engine.ts'
import type { EngineResult, RowBatch } from '../../model/result.ts'
import type { ServerOptions } from '../../engines/server-options.ts'
import { type ManualClock, manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { makeSealer } from '../sealing.ts'
import { sealPassword } from './database-password.ts'
import { type Engines, makeEngines } from './engines.ts'
import { checkServerSettings } from './server-settings.ts'

const sealer = makeSealer({ secretKey: Buffer.alloc(32, 1), random: seededRandom('engines') })
const never = new AbortController().signal
const settle = () => new Promise((resolve) => setImmediate(resolve))
const idleMs = 60_000

/** An engine that records what it was opened with and whether it was closed. */
interface FakeEngine extends Engine {
  options: ServerOptions
  isClosed: boolean
}

let clock: ManualClock
let engines: Engines
let opened: FakeEngine[]

beforeEach(() => {
  clock = manualClock()
  opened = []
  const open = (options: ServerOptions) => {
    const engine: FakeEngine = {
      options,
      isClosed: false,
      dialect: 'postgres',
      async run(): Promise<EngineResult> {
        return {
          fields: [],
          batches: (async function* (): AsyncGenerator<RowBatch> {
            for (const row of ['[1]', '[2]', '[3]']) yield { rowCount: 1, json: Buffer.from(row) }
          })(),
          statistics: () => ({ rowsRead: 3, rowsWritten: null }),
        }
      },
      test: async () => ({ version: 'fake' }),
      describe: async () => [],
      async close() {
        engine.isClosed = true
      },
    }
    opened.push(engine)
    return engine
  }
  engines = makeEngines({
    clock,
    log: silentLog,
    sealer,
    dataDirectory: '/nowhere',
    addressesOf: async () => [],
    ownStore: async () => null,
    openers: { onFile: fileEngineOpeners, onServer: { postgres: open, mysql: open, clickhouse: open } },
    maxConnections: 3,
    idleMs,
  })
})

const settings = checkServerSettings('postgres', { host: 'db.example', database: 'shop', user: 'reader' })
function configured(revision: number, password = `password ${revision}`) {
  const of = { id: 'db_1', organizationId: 'org_1', engine: 'postgres' as const, settings }
  return { ...of, revision, sealedPassword: sealPassword(sealer, of, password) }
}

const begin = async (revision: number, signal = never) => {
  const { batches } = await engines.engineOf(configured(revision)).run({ sql: 'select 1', signal })
  return batches[Symbol.asyncIterator]()
}

const readOn = async (rows: AsyncIterator<RowBatch>) => {
  for (;;) if ((await rows.next()).done) return
}

test('one engine serves a configuration, opened with its password on first use', async () => {
  const engine = engines.engineOf(configured(1))
  expect(opened).toEqual([])
  await readOn(await begin(1))
  await engine.describe(never)
  expect(opened).toHaveLength(1)
  expect(opened[0]!.options).toMatchObject({ settings, password: 'password 1', maxConnections: 3 })
  await engines.close()
  expect(opened[0]!.isClosed).toBe(true)
})

describe('when settings or password change', () => {
  test('active statements finish on the old engine, which then closes; new ones get a new engine', async () => {
    const [first, second] = [await begin(1), await begin(1)]
    await first.next()
    await readOn(await begin(2))
    expect(opened.map(({ options }) => options.password)).toEqual(['password 1', 'password 2'])
    await readOn(first)
    expect(opened[0]!.isClosed).toBe(false)
    await readOn(second)
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  test('an idle engine is closed at once', async () => {
    await readOn(await begin(1))
    await readOn(await begin(2))
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
    await readOn(await begin(3))
    engines.retire('db_1', { before: 3 })
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true, false])
  })

  test('a run claimed before the change uses the old configuration, and the new engine stays', async () => {
    await readOn(await begin(2))
    await readOn(await begin(1))
    expect(opened.map(({ options, isClosed }) => [options.password, isClosed])).toEqual([
      ['password 2', false],
      ['password 1', true],
    ])
    await readOn(await begin(2))
    expect(opened).toHaveLength(2)
  })
})

describe('a use ends', () => {
  const isOver = () => {
    engines.retire('db_1')
    return opened[0]!.isClosed
  }

  test('with the last batch, not before', async () => {
    const rows = await begin(1)
    expect(isOver()).toBe(false)
    for (let row = 0; row < 3; row++) expect(await rows.next()).toMatchObject({ done: false })
    expect(isOver()).toBe(false)
    expect(await rows.next()).toMatchObject({ done: true })
    expect(isOver()).toBe(true)
  })

  test('when the reader stops early', async () => {
    const rows = await begin(1)
    await rows.next()
    await rows.return!()
    expect(isOver()).toBe(true)
  })

  test('when the statement is stopped before it is read', async () => {
    const stop = new AbortController()
    await begin(1, stop.signal)
    expect(isOver()).toBe(false)
    stop.abort()
    expect(isOver()).toBe(true)
  })

  test('when the engine rejects the statement', async () => {
    await engines.engineOf(configured(1)).test(never)
    opened[0]!.run = () => Promise.reject(new Error('no'))
    await expect(begin(1)).rejects.toThrow('no')
    expect(isOver()).toBe(true)
  })
})

test('the engine of a deleted configuration closes after its last use', async () => {
  const rows = await begin(1)
  engines.retire('db_1')
  expect(opened[0]!.isClosed).toBe(false)
  await readOn(rows)
  expect(opened[0]!.isClosed).toBe(true)
})

test('an unused engine is closed after a while, and reopened for the next use', async () => {
  await readOn(await begin(1))
  await clock.advance(idleMs - 1)
  const rows = await begin(1)
  await clock.advance(2 * idleMs)
  expect(opened[0]!.isClosed).toBe(false)
  await readOn(rows)
  await clock.advance(idleMs - 1)
  expect(opened[0]!.isClosed).toBe(false)
  await clock.advance(1)
  await settle()
  expect(opened[0]!.isClosed).toBe(true)
  expect(clock.sleepers()).toBe(0)
  await readOn(await begin(1))
  expect(opened).toHaveLength(2)
})

test('reports a password encrypted with another SECRET_KEY', async () => {
  const other = makeSealer({ secretKey: Buffer.alloc(32, 2), random: seededRandom('other key') })
  const database = { ...configured(1), sealedPassword: sealPassword(other, configured(1), 'x') }
  await expect(engines.engineOf(database).test(never)).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('SECRET_KEY'),
  })
  expect(() => engines.openSeparate(database)).toThrow('SECRET_KEY')
})

test('a try has its own engine with one connection', async () => {
  const apart = engines.openSeparate(configured(1))
  await readOn(await begin(1))
  expect(opened.map(({ options }) => options.maxConnections)).toEqual([1, 3])
  await apart.close()
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
})
