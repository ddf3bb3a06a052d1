import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { engineConformance, errorOf, never, readAll, rowsSql } from '../../../testing/engines/engine-conformance.ts'
import { startTrinoWarehouse, type TrinoWarehouse } from '../../../testing/engines/trino-warehouse.ts'
import { type Script, startScriptedTrino } from '../../../testing/servers/scripted-trino.ts'
import { hasTrino } from '../../../testing/servers/trino-server.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import type { ServerSettings } from '../../model/server-settings.ts'
import { systemClock } from '../../ports/clock.ts'
import type { Engine } from '../engine.ts'
import { openTrinoConnection } from './trino-connection.ts'
import { openTrinoEngine } from './trino-engine.ts'
import { startQuery } from './trino-query.ts'
import { beginReadOnly } from './trino-session.ts'

// The server takes 700 MB to install and 20 seconds to start, so `npm run engines` installs it, and `npm test` uses it if it is there.
let starting: Promise<TrinoWarehouse> | undefined
afterAll(async () => (await starting)?.stop())

/** The same server for all tests of this file, because a start takes 20 CPU seconds. The first caller's statements create the tables. */
const sharedWarehouse = (fixture: string[] = []) => (starting ??= startTrinoWarehouse(fixture))

describe.each(hasTrino ? ['476'] : [])('Trino %s', () => {
  engineConformance({
    name: 'Trino',
    abilities: ['statementsRunning', 'dropConnections', 'restart', 'openWith'],
    sql: {
      fixture: [
        'create table digits (n integer not null)',
        'insert into digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
        `create table items (
          id integer not null, name varchar(100), price decimal(10, 2), sold_at timestamp(6), sold_on date, in_stock boolean)`,
        `insert into items values
          (1, 'plain', 12.50, timestamp '2026-01-05 09:00:00', date '2026-01-05', true),
          (2, 'it''s "quoted" \u00e9 \u{1f600}', -0.05, timestamp '2026-01-05 09:00:00.123456', date '1969-12-31', false),
          (3, null, null, null, null, null)`,
        'create view cheap_items as select id, price from items where price < 10',
      ],
      // A recursive query ends after ten steps.
      endless: `select count(*) from (${rowsSql(9)}) a cross join digits b cross join digits c cross join digits d`,
      manyRows: { sql: `select i, rpad('', 800, 'x') from (${rowsSql(6)}) numbers where i < 150000`, count: 150_000 },
      tooLargeRow: `select rpad('', 40000000, 'x')`,
      textPlaces: [{ expression: `json_format(json '"x"') || '{{a}}'`, expected: (text) => `"x"${text}` }],
      hexOfText: 'to_hex(to_utf8(v))',
      types: {
        numbers: `select cast('0.1' as double), cast('1e300' as double), cast('-0.5' as double)`,
        notNumbers: `select nan(), infinity(), -infinity()`,
        zonedTimestamp: `select timestamp '2026-01-05 10:00:00 Europe/Berlin'`,
        bytes: `select x'00ff10'`,
        json: `select json '{"a": [1, null, "x"]}'`,
      },
    },
    async open({ fixture }) {
      const warehouse = await sharedWarehouse(fixture)
      return {
        engine: warehouse.open(),
        statementsRunning: () => warehouse.statementsRunning(),
        dropConnections: async () => warehouse.gate.drop(),
        restart: () => warehouse.restart(),
        openWith: ({ password, ...to }) => warehouse.open({ settings: to, ...(password !== undefined && { password }) }),
        release: async () => {},
      }
    },
  })
})

describe.each(hasTrino ? ['476'] : [])('the values of Trino %s', () => {
  let warehouse: TrinoWarehouse
  let engine: Engine
  beforeAll(async () => {
    warehouse = await sharedWarehouse()
    engine = warehouse.open()
  })
  afterAll(() => engine.close())

  test.each<[sql: string, type: string, value: unknown]>([
    ['9007199254740993', 'integer', '9007199254740993'],
    ["decimal '-12345678901234567890123456789012345.678'", 'decimal', '-12345678901234567890123456789012345.678'],
    ["real '0.1'", 'number', 0.1],
    ['double \'1.7976931348623157E308\'', 'number', 1.7976931348623157e308],
    ["timestamp '2026-01-05 09:00:00.123456789012'", 'timestamp', '2026-01-05T09:00:00.123456789012Z'],
    ["timestamp '2026-01-05 09:00:00.123456789012 +01:00'", 'timestamp', '2026-01-05T08:00:00.123456789012Z'],
    ["timestamp '2026-07-05 09:00:00 America/New_York'", 'timestamp', '2026-07-05T13:00:00.000Z'],
    ["time '09:00:00.123456789012'", 'string', '09:00:00.123456789012'],
    ["time '09:00:00 +01:00'", 'string', '09:00:00+01:00'],
    ["date '-0001-01-01'", 'date', '-0001-01-01'],
    ["interval '3' day", 'string', '3 00:00:00.000'],
    ["interval '14' month", 'string', '1-2'],
    ["uuid '12151fd2-7586-11e9-8f9e-2a86e4085a59'", 'string', '12151fd2-7586-11e9-8f9e-2a86e4085a59'],
    ["ipaddress '10.0.0.1'", 'string', '10.0.0.1'],
    ["cast('a' as char(3))", 'string', 'a  '],
    ["x'00ff10'", 'string', 'AP8Q'],
    ["cast(row(9007199254740993, 'x') as row(a bigint, b varchar))", 'json', { a: '9007199254740993', b: 'x' }],
    ['row(1, 2)', 'json', [1, 2]],
    ["map(array[1], array[decimal '1.50'])", 'json', { 1: '1.50' }],
    ["json '{\"a\": 9007199254740993}'", 'json', { a: '9007199254740993' }],
    ['null', 'string', null],
  ])('%s', async (sql, type, value) => {
    const { fields, rows } = await readAll(engine, `select ${sql} as v`)
    expect(fields).toEqual([{ name: 'v', type }])
    expect(rows).toEqual([[value]])
  })

  test('the server itself rejects writes in the transaction of a statement', async () => {
    await warehouse.server.rows('create table memory.shop.kept (n integer)')
    const session = { server: openTrinoConnection(warehouse.options(), warehouse.options().settings), clock: systemClock, log: silentLog }
    const headers = await beginReadOnly(session, never())
    const insert = startQuery({ ...session, sql: 'insert into memory.shop.kept values 1', headers })
    const reading = (async () => {
      while ((await insert.next()) !== null);
    })()
    await expect(reading).rejects.toMatchObject({ kind: 'refused', code: 'READ_ONLY_VIOLATION' })
    await session.server.close()
  })

  test('describes the comments of tables and columns', async () => {
    await warehouse.server.rows("create table memory.shop.orders (id bigint comment 'Unique') comment 'What people bought'")
    const tables = await engine.describe(never())
    expect(tables.find(({ name }) => name === 'orders')).toEqual({
      schema: 'shop', name: 'orders', kind: 'table', rowEstimate: null, comment: 'What people bought',
      columns: [{ name: 'id', type: 'bigint', nullable: true, comment: 'Unique' }],
    })
  })
})

describe('the statement protocol', () => {
  const stops: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  })

  async function openScripted(script: Script, change: Partial<ServerSettings> = {}, password: string | null = null) {
    const server = await startScriptedTrino(script)
    const engine = openTrinoEngine({
      settings: {
        host: 'warehouse.test', port: server.port, otherHosts: [], database: 'memory', user: 'reader', tls: 'off',
        certificateAuthority: null, options: { signIn: 'password' }, ...change,
      },
      password,
      addressesOf: async () => ['127.0.0.1'],
      clock: systemClock,
      log: silentLog,
    })
    stops.push(() => server.stop(), () => engine.close())
    return { engine, server }
  }

  const columns = [{ name: 'n', type: 'bigint', typeSignature: { rawType: 'bigint', arguments: [] } }]
  /** Answers `select n` with these pages, one after the other. */
  const pages = (...bodies: Record<string, unknown>[]): Script => ({ method, path, body }, base) => {
    const isStatement = body.startsWith('select n')
    if (method === 'POST' && !isStatement) return undefined
    const at = isStatement ? 0 : Number(path.split('/').at(-1))
    const next = at + 1 < bodies.length ? { nextUri: `${base}/v1/statement/executing/${at + 1}` } : {}
    return { body: { ...next, ...bodies[at] } }
  }

  test('follows the pages of a result in a read-only transaction, and ends the transaction', async () => {
    const { engine, server } = await openScripted(pages({}, { columns }, { columns, data: [[1]] }, {}, { columns, data: [[2]] }))
    const { rows } = await readAll(engine, 'select n')
    expect(rows).toEqual([[1], [2]])
    const sent = server.seen.filter(({ method }) => method === 'POST')
    await expect.poll(() => server.seen.at(-1)!.body).toBe('ROLLBACK')
    expect(sent.map(({ body }) => body).slice(1, 3)).toEqual(['START TRANSACTION READ ONLY', 'select n'])
    expect(sent[2]!.headers['x-trino-transaction-id']).toBe('transaction-1')
  })

  test('runs as the user of the session, from the transaction to its end', async () => {
    const { engine, server } = await openScripted(pages({}, { columns, data: [[1]] }), {}, 'secret')
    const { batches } = await engine.run({ sql: 'select n', signal: never(), session: { settings: [], user: 'north' } })
    for await (const _ of batches);
    await expect.poll(() => server.seen.at(-1)!.body).toBe('ROLLBACK')
    const ofPerson = server.seen.filter(({ body }) => /^(START|select|ROLLBACK)/.test(body))
    expect(ofPerson.map(({ headers }) => headers['x-trino-user'])).toEqual(['north', 'north', 'north'])
    const signedIn = `Basic ${Buffer.from('reader:secret').toString('base64')}`
    expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(new Set([signedIn]))
    for (const user of ['a b', 'a\r\nx-trino-role: admin', '']) {
      await expect(engine.run({ sql: 'select n', signal: never(), session: { settings: [], user } })).rejects.toThrow(/no name of a user/)
    }
  })

  test('requests a page again from a busy server', async () => {
    const answer = pages({}, { columns, data: [[1]] }, { columns, data: [[2]] })
    const busy = [503, 429, 502]
    const { engine } = await openScripted((request, base) => {
      const status = request.method === 'GET' ? busy.shift() : undefined
      return status === undefined ? answer(request, base) : { status }
    })
    expect((await readAll(engine, 'select n')).rows).toEqual([[1], [2]])
    expect(busy).toEqual([])
  })

  test('keeps every digit of the response', async () => {
    const { engine } = await openScripted(({ body }) =>
      body === 'select n' ? { body: `{"columns":${JSON.stringify(columns)},"data":[[9007199254740993],[-9223372036854775808]]}` } : undefined,
    )
    expect((await readAll(engine, 'select n')).rows).toEqual([['9007199254740993'], ['-9223372036854775808']])
  })

  test.each(['http://elsewhere.test/v1/statement/1', 'https://warehouse.test/v1/statement/1', 'file:///v1/statement/1', 'nonsense'])(
    'does not continue at %s',
    async (nextUri) => {
      const { engine, server } = await openScripted(pages({ nextUri, columns }))
      const error = await errorOf(engine, 'select n')
      expect(error.kind).toBe('unreachable')
      expect(error.message).toContain('another server')
      expect(server.seen.filter(({ method }) => method === 'GET')).toEqual([])
    },
  )

  test('does not follow redirects', async () => {
    const { engine, server } = await openScripted((_, base) => ({ status: 307, headers: { location: `${base}/other` } }))
    const error = await errorOf(engine, 'select n')
    expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('redirects') as string })
    expect(server.seen).toHaveLength(1)
  })

  test('signs in with a password or a token', async () => {
    const basic = await openScripted(pages({ columns }), {}, 'secret')
    await readAll(basic.engine, 'select n')
    const token = await openScripted(pages({ columns }), { options: { signIn: 'token', schema: 'shop' } }, 'e30.e30.x')
    await readAll(token.engine, 'select n')
    const sent = (each: typeof basic) => new Set(each.server.seen.map(({ headers }) => headers.authorization))
    expect(sent(basic)).toEqual(new Set([`Basic ${Buffer.from('reader:secret').toString('base64')}`]))
    expect(sent(token)).toEqual(new Set(['Bearer e30.e30.x']))
    expect(token.server.seen[0]!.headers).toMatchObject({ 'x-trino-catalog': 'memory', 'x-trino-schema': 'shop', 'x-trino-user': 'reader' })
  })

  test.each([
    [401, 'Invalid credentials', /Authentication failed.*Invalid credentials/],
    [403, 'Forbidden', /denied/],
    [503, '', /overloaded or starting/],
    [404, '<html>', /not a Trino coordinator/],
    [200, 'hello', /not a Trino coordinator/],
  ])('reports status %d with %j', async (status, body, message) => {
    const { engine } = await openScripted(() => ({ status, body }))
    expect(await errorOf(engine, 'select n')).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(message) as string })
  })

  test('reports the share of work done until the first row', async () => {
    const stats = (progressPercentage: number) => ({ stats: { progressPercentage } })
    const { engine } = await openScripted(pages(stats(10), { columns, ...stats(40) }, { columns, data: [[1]], ...stats(90) }))
    const reported: number[] = []
    const result = await engine.run({ sql: 'select n', signal: never(), onProgress: (percent) => reported.push(percent) })
    for await (const _ of result.batches) expect(reported).toEqual([10, 40])
  })

  test('cancels at the server, and reports a statement as stopped once the server says so', async () => {
    let deleted = 0
    let asked = 0
    const { engine } = await openScripted(({ method, body }, base) => {
      const nextUri = `${base}/v1/statement/executing/1`
      if (method === 'DELETE') {
        deleted++
        return { status: 204 }
      }
      if (method === 'POST' && !body.startsWith('select n')) return undefined
      if (deleted === 0 || asked++ < 3) return { body: { nextUri, columns } }
      return { body: { error: { errorName: 'USER_CANCELED', message: 'Query was canceled' } } }
    })
    const stop = new AbortController()
    const result = await engine.run({ sql: 'select n', signal: stop.signal })
    stop.abort()
    const reading = (async () => {
      for await (const _ of result.batches) throw new Error('There are no rows.')
    })()
    await expect(reading).rejects.toMatchObject({ kind: 'stopped' })
    expect(deleted).toBe(1)
    expect(asked).toBeGreaterThan(3)
  })

  test('reports where an error is', async () => {
    const sql = "select n,\n '\u{1f600}', nope"
    const error = { message: "line 2:7: Column 'nope' cannot be resolved", errorName: 'COLUMN_NOT_FOUND', errorLocation: { lineNumber: 2, columnNumber: 7 } }
    const { engine } = await openScripted(pages({ error }))
    const found = await errorOf(engine, sql)
    expect(found).toMatchObject({ kind: 'failed', position: { line: 2, column: 8 } })
    expect(found.message).toContain("Column 'nope' cannot be resolved\nLINE 2:")
  })
})
