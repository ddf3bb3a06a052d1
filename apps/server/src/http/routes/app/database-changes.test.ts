import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseFolder } from '../../../domain/databases/engines.ts'
import {
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, endOf, expectRefusal, storeQuery, storeReference } from '../../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('databases on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'member@shop.test')
  })
  afterAll(() => service.stop())

  const fileOf = ({ settings }: { settings: { file: string } }) => {
    const { dataDirectory } = service.services
    return path.join(databaseFolder({ dataDirectory, organizationId: shop.admin.caller.organizationId }), settings.file)
  }
  const add = async (name: string) => {
    const answer = await shop.admin.page('POST', '/app/api/databases', { name, engine: 'duckdb' })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json<{ id: string; name: string; settings: { file: string } }>()
  }

  test('without a file, a database starts empty', async () => {
    const database = await add('Empty')
    expect(database).toMatchObject({ tableCount: 0, lastTest: { ok: true }, settings: { file: expect.stringMatching(/^db_/) } })
    expect(existsSync(fileOf(database))).toBe(true)
    expect((await member.page('GET', `/app/api/databases/${database.id}/tables`)).json()).toEqual({ items: [] })
    // A second database of the same name leaves no file behind.
    const again = await shop.admin.page('POST', '/app/api/databases', { name: 'EMPTY', engine: 'duckdb' })
    expectRefusal(again, 'invalid_request', at('/name'))
  })

  test('a database includes the number of saved queries that use it', async () => {
    const query = await storeQuery(shop, 'select n from numbers')
    const { shortId } = await storeReference(shop, query.id)
    const read = async () => (await member.page('GET', `/app/api/databases/${shop.databaseId}`)).json()
    expect(await read()).toMatchObject({ id: shop.databaseId, name: 'Numbers', savedQueryCount: 1, tableCount: 1 })
    await shop.admin.page('DELETE', `/app/api/references/${shortId}`)
    expect(await read()).toMatchObject({ savedQueryCount: 0 })
  })

  test('a database can be renamed to a free name', async () => {
    const { id } = await add('Old name')
    const renameTo = (name: unknown) => shop.admin.page('PATCH', `/app/api/databases/${id}`, { name })
    expect((await renameTo('New name')).json()).toMatchObject({ id, name: 'New name' })
    expect((await renameTo('new NAME')).json()).toMatchObject({ name: 'new NAME' })
    expectRefusal(await renameTo('Numbers'), 'invalid_request', at('/name'))
    expectRefusal(await renameTo('numbers'), 'invalid_request', at('/name'))
    for (const name of ['', 'x'.repeat(101), 7]) expectRefusal(await renameTo(name), 'invalid_request', at('/name'))
    expect((await shop.admin.page('GET', `/app/api/databases/${id}`)).json()).toMatchObject({ name: 'new NAME' })
  })

  test('a failed test is reported and stored', async () => {
    const database = await add('Soon gone')
    await rename(fileOf(database), `${fileOf(database)}.aside`)
    const answer = (await shop.admin.page('POST', `/app/api/databases/${database.id}/test`)).json()
    expect(answer).toEqual({ ok: false, message: expect.stringContaining('cannot be opened') })
    expect(answer.message).not.toContain(service.services.dataDirectory)
    const shown = (await member.page('GET', `/app/api/databases/${database.id}`)).json()
    expect(shown).toMatchObject({ lastTest: { ...answer, testedAt: service.clock.now().toISOString() }, tableCount: 0 })
    const tables = await member.page('GET', `/app/api/databases/${database.id}/tables`)
    expectRefusal(tables, 'database_unreachable', { message: /cannot be opened/ })
  })

  describe('the first rows of a table', () => {
    const preview = (table: string, schema = 'main') =>
      member.page('GET', `/app/api/databases/${shop.databaseId}/tables/${schema}/${encodeURIComponent(table)}/preview`)

    test('are returned', async () => {
      expect((await preview('numbers')).json()).toEqual({
        fields: [{ name: 'n', type: 'integer' }],
        rows: Array.from({ length: 10 }, (_, n) => [n]),
        hasMore: false,
      })
    })

    test('are not returned for names that are not tables', async () => {
      const names = ['unknown', 'numbers; drop table numbers', 'numbers" limit 1; --', 'duckdb_settings()', '../numbers', '"']
      for (const name of names) expectRefusal(await preview(name), 'table_not_found')
      expectRefusal(await preview('numbers', 'other'), 'table_not_found')
    })
  })

  describe('deleting', () => {
    const remove = (id: string) => shop.admin.page('DELETE', `/app/api/databases/${id}`)

    test('removes the file, frees the name, and keeps results', async () => {
      const database = await add('Passing')
      const query = await storeQuery({ ...shop, databaseId: database.id }, 'select 42 as answer')
      await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${query.id}/runs`, {}))
      expect((await remove(database.id)).statusCode).toBe(204)
      expect(existsSync(fileOf(database))).toBe(false)
      expectRefusal(await remove(database.id), 'database_not_found')
      expectRefusal(await shop.admin.page('GET', `/app/api/databases/${database.id}`), 'database_not_found')
      expect((await shop.admin.page('GET', '/app/api/databases')).body).not.toContain(database.id)
      const body = { sql: 'select 1', analyticalDatabaseConfigId: database.id }
      expectRefusal(await shop.admin.page('POST', '/app/api/queries', body), 'database_not_found')

      expect((await shop.admin.api('GET', `/api/queries/${query.id}/result`)).json()).toMatchObject({ rows: [[42]] })
      const refused = { message: /database of this query was deleted/ }
      expectRefusal(await shop.admin.api('POST', `/api/queries/${query.id}/refresh`), 'database_not_found', refused)
      await add('Passing')
    })

    test('is rejected while saved queries use it, which are listed', async () => {
      const database = await add('Needed')
      const ours = { ...shop, databaseId: database.id }
      const references = []
      for (const sql of ['select 1', 'select 2']) references.push(await storeReference(shop, (await storeQuery(ours, sql)).id))
      const listed = references.map(({ shortId, title }) => ({ path: `/references/${shortId}`, message: title }))
      const both = { message: /^2 saved queries .* Delete them first\.$/, details: expect.arrayContaining(listed) as unknown }
      expectRefusal(await remove(database.id), 'database_in_use', both)
      await shop.admin.page('DELETE', `/app/api/references/${references[0]!.shortId}`)
      const one = { message: /^One saved query .* Delete it first\.$/, details: listed.slice(1) }
      expectRefusal(await remove(database.id), 'database_in_use', one)
      expect(existsSync(fileOf(database))).toBe(true)
      await shop.admin.page('DELETE', `/app/api/references/${references[1]!.shortId}`)
      expect((await remove(database.id)).statusCode).toBe(204)
    })

    test('keeps a file that the operator provided', async () => {
      const body = { name: 'Numbers again', engine: 'duckdb', settings: { file: 'numbers.duckdb' } }
      const { id, settings } = (await shop.admin.page('POST', '/app/api/databases', body)).json()
      expect((await remove(id)).statusCode).toBe(204)
      expect(existsSync(fileOf({ settings }))).toBe(true)
    })
  })
})
