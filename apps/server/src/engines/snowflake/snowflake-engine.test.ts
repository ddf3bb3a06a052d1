import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineConformance, errorOf, never, readAll, rowsSql } from '../../../testing/engines/engine-conformance.ts'
import { type SnowflakeWarehouse, startSnowflakeWarehouse } from '../../../testing/engines/snowflake-warehouse.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { snowflakeAccount } from '../../../testing/servers/snowflake-double.ts'
import type { Engine } from '../engine.ts'

const endless = 'with recursive endless(i) as (select 1 union all select 1 from endless) select count(*) from endless'

engineConformance({
  name: 'Snowflake',
  abilities: ['openWith'],
  sql: {
    // Snowflake has the whole result before it returns the first row, so even the largest one has to fit into the double.
    rows: (digits) => rowsSql(Math.min(digits, 5)),
    endless,
    hexOfText: 'hex_encode(v)',
    textPlaces: [
      { expression: "'\\'{{a}}\\\\{{a}}'", expected: (text) => `'${text}\\${text}`, mayRefuse: true },
      { expression: '$${{a}} {{a}}$$', expected: (text) => `${text} ${text}`, mayRefuse: true },
      { expression: "{{a}} // '{{a}}\n", expected: (text) => text },
    ],
    types: {
      bytes: `select x'00ff10'`,
      arrayOfTexts: `select array['a "b"', 'c\\\\d', 'e,f', '', 'NULL']`,
      // Arrays contain variants: JSON numbers and texts.
      arraysOfNumbers: null,
      arrayOfTimestamps: null,
      json: `select parse_json('{"a": [1, null, "x"]}')`,
    },
  },
  async open({ fixture }) {
    const warehouse = await startSnowflakeWarehouse(fixture)
    return {
      engine: warehouse.open(),
      openWith: ({ password, ...to }) => warehouse.open({ settings: to, ...(password !== undefined && { password }) }),
      release: () => warehouse.stop(),
    }
  },
})

describe('the SQL API', () => {
  let warehouse: SnowflakeWarehouse
  let engine: Engine
  beforeAll(async () => {
    warehouse = await startSnowflakeWarehouse(['create table orders (id integer)', `comment on table orders is 'What people bought'`])
    engine = warehouse.open()
  })
  afterAll(async () => {
    await engine.close()
    await warehouse.stop()
  })

  test('gets one statement at a time, in UTC, with the warehouse and the role', async () => {
    const other = warehouse.open({ settings: { options: { signIn: 'keyPair', schema: 'main', warehouse: 'SMALL', role: 'READER' } } })
    await readAll(other, 'select 1;')
    await other.close()
    expect(warehouse.server.submissions.at(-1)).toEqual({
      statement: 'select 1', database: 'SHOP', schema: 'main', warehouse: 'SMALL', role: 'READER',
      parameters: { MULTI_STATEMENT_COUNT: '1', TIMEZONE: 'UTC', BINARY_OUTPUT_FORMAT: 'HEX', QUERY_TAG: 'querypost' },
    })
  })

  test('reads every partition once, and again if the connection was lost', async () => {
    const { batches } = await engine.run({ sql: 'select range as n from range(30000)', signal: never() })
    let rowCount = 0
    for await (const batch of batches) {
      if (rowCount === 0) warehouse.gate.drop()
      rowCount += batch.rowCount
    }
    expect(rowCount).toBe(30_000)
    expect(new Set(warehouse.server.paths.filter((path) => path.includes('partition=')).map((path) => path.split('?')[1]))).toEqual(
      new Set(['partition=1', 'partition=2']),
    )
  })

  test('asks a busy server again, and runs a statement once', async () => {
    await readAll(engine, 'select 1')
    const before = warehouse.server.submissions.length
    warehouse.server.failNext(429, 503)
    expect((await readAll(engine, 'select 2')).rows).toEqual([[2]])
    expect(warehouse.server.submissions.length).toBe(before + 1)
  })

  test('reports a statement as stopped only when the server no longer runs it', async () => {
    const stop = new AbortController()
    const ended = errorOf(engine, endless, stop.signal)
    while (warehouse.server.statementsRunning() === 0) await pollPause()
    stop.abort()
    expect((await ended).kind).toBe('stopped')
    expect(warehouse.server.statementsRunning()).toBe(0)
    expect(warehouse.server.paths.filter((path) => path.endsWith('/cancel'))).toHaveLength(1)
  })

  test('signs in with a programmatic access token', async () => {
    const settings = { options: { signIn: 'token', schema: 'main' } }
    const [right, wrong] = [snowflakeAccount.token, 'another-token'].map((password) => warehouse.open({ settings, password }))
    expect((await readAll(right!, 'select 42')).rows).toEqual([[42]])
    expect(await errorOf(wrong!, 'select 42')).toMatchObject({ kind: 'unreachable', code: 'UNAUTHORIZED' })
    await Promise.all([right!.close(), wrong!.close()])
  })

  test('finds the account in the host, or takes the one in the settings', async () => {
    const settings = { host: 'private.link.test', options: { signIn: 'keyPair', schema: 'main' } }
    const without = warehouse.open({ settings })
    expect(await errorOf(without, 'select 1')).toMatchObject({ kind: 'unreachable', code: 'UNAUTHORIZED' })
    const named = warehouse.open({ settings: { ...settings, options: { ...settings.options, account: 'org-acme' } } })
    expect((await readAll(named, 'select 1')).rows).toEqual([[1]])
    await Promise.all([without.close(), named.close()])
  })

  test.each([
    [401, 'UNAUTHORIZED', /Authentication failed/],
    [403, 'ACCOUNT_NOT_FOUND', /denied access/],
    [307, undefined, /redirects/],
    [404, undefined, /not Snowflake/],
  ])('reports status %d', async (status, code, message) => {
    warehouse.server.failNext(status)
    const error = await errorOf(engine, 'select 1')
    expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(message) as string })
    expect((error as { code?: string }).code).toBe(code)
  })

  test('describes rows and comments of tables', async () => {
    const [orders] = await engine.describe(never())
    expect(orders).toMatchObject({ schema: 'main', name: 'orders', rowEstimate: 0, comment: 'What people bought' })
  })
})
