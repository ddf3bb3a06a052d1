import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { checkDatabases } from '../../../process/check-databases.ts'
import { type Proxy, startProxy } from '../../../../testing/engines/postgres-proxy.ts'
import { parseAllowedNetworks } from '../../../domain/webhooks/addresses/endpoint-addresses.ts'
import { systemClock } from '../../../ports/clock.ts'
import { silentLog } from '../../../../testing/silent-log.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'

/** The PostgreSQL server of the tests. It accepts any client, so no credentials protect the store. */
const storePort = Number(new URL(inject('postgresUrl')).port)

const settings = (change: object) => ({ host: '127.0.0.1', port: storePort, user: 'postgres', tls: 'off', ...change })
const trying = async (by: TestOrganization, change: object, engine = 'postgres') => {
  const answer = await by.admin.page('POST', '/app/api/databases/test', { engine, settings: settings(change) })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ ok: boolean; message?: string; path?: string }>()
}

const add = (by: TestOrganization, change: object) =>
  by.admin.page('POST', '/app/api/databases', { name: 'Warehouse', engine: 'postgres', settings: settings(change) })
const databaseOf = async ({ services }: TestService) => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(services.db)
  return rows[0]!.name
}

const failureOf = async (service: TestService, by: TestOrganization, databaseId: string) => {
  const query = await by.admin.page('POST', '/app/api/queries', { sql: 'select 1', analyticalDatabaseConfigId: databaseId })
  const run = await by.admin.page('POST', `/app/api/queries/${query.json<{ id: string }>().id}/runs`, {})
  return (await service.ended(by.admin.caller, run.json<{ id: string }>().id)).failureReason
}

const lastTestOf = async (service: TestService, by: TestOrganization, databaseId: string) => {
  await service.services.pendingJobs.settled()
  return (await by.admin.page('GET', `/app/api/databases/${databaseId}`)).json<{ lastTest: unknown }>().lastTest
}

/** The number of concurrent connection tests is limited. */
const waitForThrottle = (service: TestService) => service.clock.leap(60_000)

const ownServer = { ok: false, path: '/settings/host', message: expect.stringContaining('with this service’s own data') }
const ownDatabase = { ok: false, path: '/settings/database', message: expect.stringContaining('the service’s own database') }

let proxy: Proxy
beforeAll(async () => {
  proxy = await startProxy({ port: storePort })
})
afterAll(() => proxy.close())

describe('without a setting', () => {
  let service: TestService
  let shop: TestOrganization
  let database: string
  beforeAll(async () => {
    service = await startTestService('postgres', { databaseAllowedNetworks: '' })
    service.network.name('localhost', ['127.0.0.1', '::1'])
    service.network.name('alias.test', ['127.0.0.1'])
    shop = await service.addOrganization('shop')
    database = await databaseOf(service)
  })
  afterAll(() => service.stop())
  afterEach(() => waitForThrottle(service))

  test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost', 'alias.test'])('rejects the store’s server as %s', async (host) => {
    expectRefusal(await add(shop, { host, database }), 'invalid_request', at('/settings/host', ownServer.message))
    expect(await trying(shop, { host, database: 'postgres' })).toMatchObject(ownServer)
  })

  test.each(['mysql', 'clickhouse'])('rejects it for %s', async (engine) => {
    expect(await trying(shop, { database: 'postgres' }, engine)).toMatchObject(ownServer)
  })

  test('rejects it among other hosts', async () => {
    const otherHosts = [{ host: 'alias.test', port: storePort }]
    expect(await trying(shop, { port: 1, otherHosts, database: 'postgres' })).toMatchObject({ ok: false, path: '/settings/port' })
  })

  test('rejects the store behind a proxy, but not the proxy’s other databases', async () => {
    const { port } = proxy
    expectRefusal(await add(shop, { port, database }), 'invalid_request', at('/settings/database', ownDatabase.message))
    expect(await trying(shop, { port, database: 'postgres' })).toMatchObject({ ok: true })
    // Its tables have the same object ids as the store, which is a copy of it.
    expect(await trying(shop, { port, database: 'querypost_template' })).toMatchObject({ ok: true })
  })

  test('rejects the store for a role without rights, and when its answers are withheld', async () => {
    const { db } = service.services
    await sql`create role stranger login`.execute(db)
    await sql`alter role stranger set search_path = decoy, pg_catalog`.execute(db)
    await sql`create schema decoy`.execute(db)
    await sql`create function decoy.version() returns text language sql as $$ select 'Redshift 1.0' $$`.execute(db)
    await sql`create view decoy.pg_class as select 0::oid as oid, ''::name as relname`.execute(db)
    await sql`grant usage on schema decoy to stranger`.execute(db)
    const asStranger = () => trying(shop, { port: proxy.port, database, user: 'stranger' })
    try {
      expect(await asStranger()).toMatchObject(ownDatabase)
      await sql`revoke execute on function pg_control_system() from public`.execute(db)
      expect(await asStranger()).toMatchObject(ownDatabase)
      await sql`revoke select on pg_database from public`.execute(db)
      expect(await asStranger()).toMatchObject(ownDatabase)
      await sql`revoke select on pg_class from public`.execute(db)
      expect(await asStranger()).toMatchObject({ ok: false })
    } finally {
      await sql`grant execute on function pg_control_system() to public`.execute(db)
      await sql`grant select on pg_database, pg_class to public`.execute(db)
      await sql`drop schema decoy cascade`.execute(db)
      await sql`drop role stranger`.execute(db)
    }
  })

  test('this machine is allowed for a single organization and forbidden for two, with a reason in runs and tests', async () => {
    const added = await add(shop, { port: proxy.port, database: 'postgres' })
    expect(added.statusCode, added.body).toBe(201)
    const { id } = added.json<{ id: string }>()
    expect(await failureOf(service, shop, id)).toBeNull()
    const bank = await service.addOrganization('bank')
    // Idle connections are closed, and the organizations are counted again.
    service.clock.leap(60_000)
    const reason =
      '127.0.0.1 is the machine that this service runs on, which is not allowed with more than one organization. ' +
      'The operator can allow it by adding 127.0.0.1 to DATABASE_ALLOWED_NETWORKS.'
    expect(await failureOf(service, shop, id)).toBe(reason)
    expect(await lastTestOf(service, shop, id)).toMatchObject({ ok: false, message: reason, path: '/settings/host' })
    for (const organization of [shop, bank]) {
      expect(await trying(organization, { port: proxy.port, database: 'postgres' })).toMatchObject({ ok: false, message: reason })
    }
    expect(await trying(bank, { host: 'localhost', port: 1, database: 'x' }, 'clickhouse')).toMatchObject({ ok: false, path: '/settings/host' })
  })
})

describe('with the address in DATABASE_ALLOWED_NETWORKS', () => {
  const databaseAllowedNetworks = '127.0.0.1'
  let service: TestService
  let shop: TestOrganization
  let database: string
  beforeAll(async () => {
    service = await startTestService('postgres', { databaseAllowedNetworks })
    shop = await service.addOrganization('shop')
    await service.addOrganization('bank')
    database = await databaseOf(service)
  })
  afterAll(() => service.stop())

  test('the other databases of the store’s server can be added, the store cannot', async () => {
    expect(await trying(shop, { database: 'postgres' })).toMatchObject({ ok: true })
    expect(await trying(shop, { database })).toMatchObject(ownDatabase)
    expect(await trying(shop, { database, port: proxy.port })).toMatchObject(ownDatabase)
  })

  test('rejects a database that has come to point to the store, and the doctor reports it', async () => {
    const { id } = (await add(shop, { database: 'postgres' })).json<{ id: string }>()
    const { db, dataDirectory } = service.services
    await sql`update analytical_database_configs set revision = 2, settings = settings || ${JSON.stringify({ database })}::jsonb
      where id = ${id}`.execute(db)
    expect(await failureOf(service, shop, id)).toContain('the service’s own database')
    expect(await lastTestOf(service, shop, id)).toMatchObject(ownDatabase)
    const parsed = parseAllowedNetworks(databaseAllowedNetworks)
    const tried = await checkDatabases({
      store: { db, server: { host: '127.0.0.1', port: storePort, addresses: () => [] } },
      config: { dataDirectory, databaseAllowedNetworks: 'networks' in parsed ? parsed.networks : [] },
      secretKey: Buffer.alloc(32, 7),
      temporaryDirectory: `${dataDirectory}/temporary`,
      clock: systemClock,
      log: silentLog,
    })
    expect(tried.find(({ name }) => name === 'Warehouse')?.outcome).toMatchObject(ownDatabase)
  })
})
