import { createServer, type Server } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pollPause } from '../../../../testing/poll-pause.ts'
import { type PostgresWithPassword, startPostgresWithPassword } from '../../../../testing/servers/postgres-with-password.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'
import { at, expectRefusal, startTime } from '../../../../testing/http/requests.ts'

let service: TestService
let warehouse: PostgresWithPassword
let shop: TestOrganization
let bank: TestOrganization
let member: TestPerson
/** Accepts connections and never responds. */
let silentServer: Server
let silentPort: number
let logged = ''

beforeAll(async () => {
  warehouse = await startPostgresWithPassword()
  await warehouse.execute('create table birds as select i as id, \'bird \' || i as name from generate_series(1, 200000) as i')
  await warehouse.execute('create schema "Old; things"; create table "Old; things"."a""b" as select 42 as answer')
  silentServer = createServer((socket) => socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve))
  silentPort = (silentServer.address() as { port: number }).port
  const logger = pino({ level: 'debug' }, { write: (line: string) => void (logged += line) })
  service = await startTestService('postgres', { logger })
  shop = await service.addOrganization('shop')
  bank = await service.addOrganization('bank')
  member = await shop.addPerson('member', 'member@shop.test')
})
afterAll(async () => {
  await service.stop()
  silentServer.close()
  await warehouse.stop()
})
// Connection tests are throttled; here the wait is skipped.
afterEach(() => service.clock.leap(60_000))

const settings = (change: object = {}) => ({
  ...warehouse.place,
  database: warehouse.database,
  user: warehouse.user,
  tls: 'off',
  ...change,
})
const add = (body: object = {}, by: TestPerson = shop.admin) =>
  by.page('POST', '/app/api/databases', {
    name: 'Warehouse',
    engine: 'postgres',
    settings: settings(),
    password: warehouse.password,
    ...body,
  })
const added = async (name: string, by: TestPerson = shop.admin): Promise<{ id: string }> => {
  const answer = await add({ name }, by)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
const start = async (databaseId: string, statement: string, by: TestPerson = shop.admin): Promise<string> => {
  const query = await by.page('POST', '/app/api/queries', { sql: statement, analyticalDatabaseConfigId: databaseId })
  const run = await by.page('POST', `/app/api/queries/${query.json<{ id: string }>().id}/runs`, {})
  expect(run.statusCode, run.body).toBe(202)
  return run.json<{ id: string }>().id
}
const end = async (runId: string, by: TestPerson = shop.admin) => service.ended(by.caller, runId)
const answerOf = async (databaseId: string, statement: string) => {
  const runId = await start(databaseId, statement)
  const { status, failureReason } = await end(runId)
  if (status === 'failed') return failureReason
  return (await shop.admin.page('GET', `/app/api/runs/${runId}/result`)).json<{ rows: unknown[][] }>().rows
}
/** Statements of the reader that are running on the server. */
const statementsThere = async () => {
  const { rows } = await warehouse.execute(
    `select query from pg_stat_activity where usename = 'reader' and state = 'active'`,
  )
  return (rows as { query: string }[]).map(({ query }) => query)
}
const connectionsThere = async () => {
  const { rows } = await warehouse.execute(`select count(*)::integer as n from pg_stat_activity where usename = 'reader'`)
  return (rows as [{ n: number }])[0].n
}
const until = async (look: () => Promise<boolean>) => {
  while (!(await look())) await pollPause()
}

test('a database server can be added, listed without its password, described, previewed and queried', async () => {
  const answer = await add()
  expect(answer.statusCode, answer.body).toBe(201)
  const database = {
    id: expect.stringMatching(/^db_\w{22}$/),
    name: 'Warehouse',
    engine: 'postgres',
    settings: { ...settings(), otherHosts: [], certificateAuthority: null },
    hasPassword: true,
    createdBy: shop.admin.caller.userId,
    createdAt: startTime,
    tableCount: 2,
    lastTest: { ok: true, durationMs: 0, version: expect.stringMatching(/^PostgreSQL 1\d/), testedAt: startTime },
  }
  expect(answer.json()).toEqual(database)
  const { id } = answer.json<{ id: string }>()
  expect((await member.page('GET', `/app/api/databases/${id}`)).json()).toEqual({ ...database, savedQueryCount: 0 })
  expect((await member.page('GET', '/app/api/databases')).json().items).toContainEqual(database)
  const { items } = (await member.page('GET', `/app/api/databases/${id}/tables`)).json()
  expect(items).toContainEqual(expect.objectContaining({ schema: 'public', name: 'birds', kind: 'table' }))
  const odd = `${encodeURIComponent('Old; things')}/${encodeURIComponent('a"b')}`
  const preview = await member.page('GET', `/app/api/databases/${id}/tables/${odd}/preview`)
  expect(preview.json()).toEqual({ fields: [{ name: 'answer', type: 'integer' }], rows: [[42]], hasMore: false })
  expect(await answerOf(id, 'select count(*) from birds')).toEqual([[200_000]])
  const file = `/app/api/databases/${id}/tables?name=x&format=csv`
  expectRefusal(await shop.admin.page('POST', file, Buffer.from('a\n1\n')), 'invalid_request', { message: /only into DuckDB databases/ })
})

test('the password is stored encrypted, and neither logged nor returned', async () => {
  const { rows } = await sql<{ sealed_password: Uint8Array; settings: unknown }>`
    select sealed_password, settings from analytical_database_configs where engine = 'postgres'`.execute(service.services.db)
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) {
    expect(row.sealed_password.length).toBeGreaterThan(warehouse.password.length)
    expect(Buffer.from(row.sealed_password).includes(warehouse.password)).toBe(false)
    expect(JSON.stringify(row.settings)).not.toContain(warehouse.password)
  }
  expect(logged).not.toContain(warehouse.password)
})

describe('unreachable settings are not stored, and the error names the field:', () => {
  test.each<[string, () => object, string, RegExp]>([
    ['a wrong password', () => ({ password: 'open barley' }), '/password', /password authentication failed for user "reader"/],
    ['no password', () => ({ password: null }), '/password', /asks for a password|no password|password/],
    ['an unknown user', () => ({ settings: settings({ user: 'nobody' }) }), '/settings/user', /role "nobody" does not exist/],
    ['an unknown database', () => ({ settings: settings({ database: 'lost' }) }), '/settings/database', /database "lost" does not exist/],
    ['a port without a listener', () => ({ settings: settings({ port: 1 }) }), '/settings/port', /refused/],
    ['TLS, which this server does not support', () => ({ settings: settings({ tls: 'verified' }) }), '/settings/tls', /TLS/],
    ['a name that does not exist', () => ({ settings: settings({ host: 'lost.test' }) }), '/settings/host', /lost\.test does not exist/],
    ['a cloud metadata address', () => ({ settings: settings({ host: '169.254.169.254' }) }), '/settings/host', /not allowed for databases/],
    ['an IPv4 address in IPv6', () => ({ settings: settings({ host: '::ffff:127.0.0.1' }) }), '/settings/host', /IPv4-mapped/],
  ])('%s', async (_, body, path, words) => {
    const before = (await shop.admin.page('GET', '/app/api/databases')).json()
    const answer = await add({ name: 'Unreachable', ...body() })
    expectRefusal(answer, 'invalid_request', at(path, expect.stringMatching(words)))
    expect((await shop.admin.page('GET', '/app/api/databases')).json()).toEqual(before)
  })

  test.each<[object, string]>([
    [{ engine: 'oracle' }, '/engine'],
    [{ settings: undefined }, '/settings'],
    [{ settings: { file: 'x.duckdb' } }, '/settings/file'],
    [{ engine: 'duckdb' }, '/password'],
    [{ password: 7 }, '/password'],
    [{ password: 'x'.repeat(1025) }, '/password'],
    [{ name: 'WAREHOUSE' }, '/name'],
  ])('%o', async (body, path) => {
    expectRefusal(await add({ name: 'Wrong', ...body }), 'invalid_request', at(path))
  })

  // Over HTTP, silence may also be a slow statement, so the limit of the whole test applies.
  test.each([
    ['postgres', 10_000, '/settings/host', /did not answer within 10 seconds/],
    ['mysql', 10_000, '/settings/host', /did not answer within 10 seconds/],
    ['clickhouse', 15_000, '/settings', /did not respond within 15 seconds/],
  ])('times out a silent %s server after %i ms', async (engine, limitMs, path, words) => {
    await until(async () => (await connectionsTo(silentServer)) === 0)
    const asked = add({ name: 'Mute', engine, settings: settings({ port: silentPort }) })
    await until(async () => (await connectionsTo(silentServer)) > 0)
    await service.clock.advance(limitMs)
    expectRefusal(await asked, 'invalid_request', at(path, expect.stringMatching(words)))
  })
})

const connectionsTo = (server: Server) =>
  new Promise<number>((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))))

describe('testing settings', () => {
  const trying = (body: object, path = 'test') =>
    shop.admin.page('POST', `/app/api/databases/${path}`, body)

  test('reports the outcome and stores nothing', async () => {
    const before = (await shop.admin.page('GET', '/app/api/databases')).json()
    const body = { engine: 'postgres', settings: settings(), password: warehouse.password }
    expect((await trying(body)).json()).toEqual({
      ok: true,
      durationMs: 0,
      version: expect.stringMatching(/^PostgreSQL/),
      tableCount: 2,
    })
    expect((await trying({ ...body, password: 'open barley' })).json()).toEqual({
      ok: false,
      message: expect.stringContaining('password authentication failed'),
      path: '/password',
      tableCount: null,
    })
    expectRefusal(await trying({ ...body, settings: settings({ port: 'x' }) }), 'invalid_request', at('/settings/port'))
    expectRefusal(await trying({ ...body, engine: 'duckdb' }), 'invalid_request', at('/engine'))
    expect((await shop.admin.page('GET', '/app/api/databases')).json()).toEqual(before)
  })

  test('uses the stored password only for the same server', async () => {
    const { id } = await added('Tried')
    expect((await trying({ settings: settings() }, `${id}/test`)).json()).toMatchObject({ ok: true, tableCount: 2 })
    const elsewhere = await trying({ settings: settings({ host: 'localhost' }) }, `${id}/test`)
    expectRefusal(elsewhere, 'invalid_request', at('/password', expect.stringContaining('entered again')))
    expect((await trying({ password: 'x' }, `${id}/test`)).json()).toMatchObject({ ok: false, path: '/password' })
    expect((await shop.admin.page('GET', `/app/api/databases/${id}`)).json().lastTest.ok).toBe(true)
  })

  test('is throttled per person', async () => {
    const other = await shop.addPerson('admin', 'eager@shop.test')
    const body = { engine: 'postgres', settings: settings({ host: '169.254.169.254' }) }
    for (let count = 0; count < 20; count++) {
      expect((await other.page('POST', '/app/api/databases/test', body)).statusCode).toBe(200)
    }
    const refused = await other.page('POST', '/app/api/databases/test', body)
    expectRefusal(refused, 'too_many_requests')
    expect(refused.headers['retry-after']).toBe('3')
  })
})

describe('a change', () => {
  const change = (id: string, body: object) => shop.admin.page('PATCH', `/app/api/databases/${id}`, body)

  test('of the name or the database keeps the password; a change of the server requires it', async () => {
    const { id } = await added('Changing')
    expect((await change(id, { name: 'Changed' })).json()).toMatchObject({ name: 'Changed', hasPassword: true })
    expectRefusal(await change(id, { settings: settings({ host: 'localhost' }) }), 'invalid_request', at('/password'))
    expectRefusal(await change(id, { settings: settings({ user: 'admin' }) }), 'invalid_request', at('/password'))
    const moved = await change(id, { settings: settings({ database: 'postgres' }) })
    expect(moved.json()).toMatchObject({ name: 'Changed', settings: { database: 'postgres' }, hasPassword: true })
    expect(await answerOf(id, 'select current_database()')).toEqual([['postgres']])
    expectRefusal(await change(id, {}), 'invalid_request', at('/'))
  })

  test('to an unreachable server or a taken name is rejected', async () => {
    const [{ id }] = [await added('Steady'), await added('Taken')]
    const before = (await shop.admin.page('GET', `/app/api/databases/${id}`)).json()
    expectRefusal(await change(id, { name: 'Other', password: 'open barley' }), 'invalid_request', at('/password'))
    expectRefusal(await change(id, { name: 'TAKEN', settings: settings({ database: 'postgres' }) }), 'invalid_request', at('/name'))
    expectRefusal(await change(shop.databaseId, { settings: settings() }), 'invalid_request', at('/settings'))
    expect((await shop.admin.page('GET', `/app/api/databases/${id}`)).json()).toEqual(before)
  })

  test('does not affect running runs; later runs use the new password', async () => {
    const [{ id }, stale] = [await added('Rotating'), await added('Stale')]
    const gate = new pg.Client(warehouse.server.urlOf(warehouse.database))
    await gate.connect()
    await gate.query('select pg_advisory_lock(1)')
    const running = await start(id, 'select pg_advisory_xact_lock_shared(1)::text, count(*) from birds')
    await until(async () => (await statementsThere()).some((statement) => statement.includes('pg_advisory')))
    await warehouse.execute(`alter role reader password 'open rye'`)
    expect((await change(id, { password: 'open rye' })).statusCode).toBe(200)
    expect(await answerOf(id, 'select 7')).toEqual([[7]])
    expect(await statementsThere()).toHaveLength(1)
    await gate.end()
    expect(await end(running)).toMatchObject({ status: 'completed', failureReason: null })
    // The old password now fails with a reason.
    expect(await answerOf(stale.id, 'select 7')).toContain('password authentication failed')
    await warehouse.execute(`alter role reader password '${warehouse.password}'`)
    expect((await change(id, { password: warehouse.password })).statusCode).toBe(200)
  })

  test('made twice concurrently is applied once', async () => {
    const { id } = await added('Contested')
    const answers = await Promise.all([1, 2].map(() => change(id, { settings: settings({ database: 'postgres' }) })))
    const codes = answers.map((answer) => answer.json<{ code?: string }>().code)
    expect(codes.filter((code) => code === undefined).length).toBeGreaterThan(0)
    expect(codes.every((code) => code === undefined || code === 'database_in_use')).toBe(true)
  })
})

describe('a deletion', () => {
  test('stops running queries, then closes the connections and keeps the tables', async () => {
    const { id } = await added('Leaving')
    const before = await connectionsThere()
    const runId = await start(id, 'select pg_sleep(600)')
    await until(async () => (await statementsThere()).some((statement) => statement.includes('600')))
    expectRefusal(await shop.admin.page('DELETE', `/app/api/databases/${id}`), 'database_in_use')
    expectRefusal(await member.page('DELETE', `/app/api/databases/${id}`), 'forbidden')
    await shop.admin.page('POST', `/app/api/runs/${runId}/cancel`)
    expect((await end(runId)).failureReason).toContain('Stopped by')
    expect((await shop.admin.page('DELETE', `/app/api/databases/${id}`)).statusCode).toBe(204)
    await until(async () => (await connectionsThere()) <= before)
    expect((await warehouse.execute('select count(*)::integer as n from birds')).rows).toEqual([{ n: 200_000 }])
    const { rows } = await sql<{ sealed_password: unknown }>`
      select sealed_password from analytical_database_configs where id = ${id}`.execute(service.services.db)
    expect(rows).toEqual([{ sealed_password: null }])
  })

  test('at the moment a run starts fails that run with a reason', async () => {
    const { id } = await added('Gone')
    const query = await shop.admin.page('POST', '/app/api/queries', { sql: 'select 1', analyticalDatabaseConfigId: id })
    const { db, clock, random } = service.services
    await sql`update analytical_database_configs set deleted_at = ${clock.now()} where id = ${id}`.execute(db)
    const { insertRun } = await import('../../../store/runs/runs-table.ts')
    const { newId } = await import('../../../domain/ids.ts')
    const run = await insertRun(db, {
      id: newId(random, 'run'),
      organizationId: shop.admin.caller.organizationId,
      queryId: query.json<{ id: string }>().id,
      triggerId: shop.admin.caller.triggerId,
      parameterValues: {},
      parameterTypes: {},
      renderedSql: 'select 1',
      runAt: clock.now(),
    })
    service.services.wakeups.wake('runs')
    expect((await end(run!.id)).failureReason).toBe('The database of this query was deleted before the run began.')
  })
})

test('databases that hang while connecting do not block others', async () => {
  const hanging = await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      const { id } = await added(`Hanging ${index}`)
      await sql`update analytical_database_configs
        set settings = settings || ${JSON.stringify({ port: silentPort })}::jsonb, sealed_password = null, revision = 2
        where id = ${id}`.execute(service.services.db)
      return id
    }),
  )
  const stuck = await Promise.all(hanging.flatMap((id) => [start(id, 'select 1'), start(id, 'select 2')]))
  await until(async () => (await connectionsTo(silentServer)) >= 8)
  const { id } = await added('Quick', bank.admin)
  const quick = await start(id, 'select 3', bank.admin)
  expect((await end(quick, bank.admin)).status).toBe('completed')
  const ended = Promise.all(stuck.map((runId) => end(runId)))
  let isOver = false
  void ended.then(() => (isOver = true))
  await until(async () => {
    await service.clock.advance(1000)
    return isOver
  })
  for (const { failureReason } of await ended) expect(failureReason).toContain('did not answer within 10 seconds')
})
