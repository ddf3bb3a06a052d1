import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal, isUuid, parameter, storeQuery, storeReference } from '../../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('references in the web app on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const patch = (shortId: string, body: object) => shop.admin.page('PATCH', `/app/api/references/${shortId}`, body)
  const get = async (shortId: string) => (await shop.admin.page('GET', `/app/api/references/${shortId}`)).json()

  test('changed SQL becomes a new query; the old query and other references are unchanged', async () => {
    const query = await storeQuery(shop, 'select 1')
    const mine = await storeReference(shop, query.id)
    const other = await storeReference(shop, query.id)
    await service.clock.advance(1000)
    const changed = await patch(mine.shortId, { sql: 'select 2' })
    expect(changed.statusCode).toBe(200)
    expect(changed.json()).toEqual({
      ...mine,
      updatedAt: service.clock.now().toISOString(),
      currentQuery: { id: isUuid, sql: 'select 2' },
    })
    const newId = changed.json().currentQuery.id
    expect(newId).not.toBe(query.id)
    expect(await get(other.shortId)).toEqual(other)
    expect((await shop.admin.api('GET', `/api/queries/${query.id}`)).json().sql).toBe('select 1')
    expect((await shop.admin.api('GET', `/api/queries/${newId}`)).json()).toMatchObject({
      sql: 'select 2',
      analyticalDatabaseConfigId: shop.databaseId,
      latestRun: null,
    })
    // Saving the same SQL changes nothing.
    expect((await patch(mine.shortId, { sql: 'select 2' })).json().currentQuery.id).toBe(newId)
  })

  test('optional fields of a visualization and a parameter have defaults', async () => {
    const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select {{n}}')).id)
    const given = await patch(shortId, { visualization: { type: 'table' }, parameters: [{ name: 'n', type: 'number' }] })
    expect(given.json()).toMatchObject({
      visualization: { type: 'table', jsxConfig: '', marginConfig: { top: 0, right: 0, bottom: 0, left: 0 } },
      parameters: [{ name: 'n', displayName: 'n', type: 'number', defaultValue: '', description: '' }],
    })
  })

  test('visualization and parameters can be set, changed and removed', async () => {
    const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select {{a}}')).id)
    const visualization = { type: 'number', jsxConfig: '', marginConfig: { top: 0, right: 0, bottom: 0, left: 0 } }
    const parameters = [parameter('a', 'date', '2026-01-31')]
    const given = (await patch(shortId, { visualization, parameters, title: 'A', description: 'b' })).json()
    expect(given).toMatchObject({ visualization, parameters, title: 'A', description: 'b' })
    expect(await get(shortId)).toEqual(given)
    const bare = (await patch(shortId, { visualization: null, parameters: [] })).json()
    const { visualization: _, ...rest } = given
    expect(bare).toEqual({ ...rest, parameters: [] })
  })

  test.each([
    [{ sql: ' ' }, '/sql'],
    [{ title: '' }, '/title'],
    [{ queryId: '00000000-0000-7000-8000-000000000000' }, '/queryId'],
    [{ visualization: { type: 'bar', jsxConfig: '<script />', marginConfig: { top: 0, right: 0, bottom: 0, left: 0 } } }, ''],
    [{ parameters: [parameter('1', 'text', '')] }, '/parameters/0/name'],
    [{ parameters: [parameter('a', 'number', 'x')] }, '/parameters/0/defaultValue'],
    [{ parameters: [parameter('a', 'money', '1')] }, '/parameters/0/type'],
    [{ parameters: [{ ...parameter('a', 'text', ''), secret: true }] }, '/parameters/0/secret'],
    [{ parameters: [{ ...parameter('a', 'text', ''), defaultValue: 1 }] }, '/parameters/0/defaultValue'],
  ])('rejects %o and changes nothing', async (body, place) => {
    const before = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
    await service.clock.advance(1000)
    const answer = await patch(before.shortId, { title: 'New', sql: 'select 5', ...body })
    expectRefusal(answer, 'invalid_request', at(expect.stringContaining(place) as string))
    expect(await get(before.shortId)).toEqual(before)
  })

  test('an unknown database rejects the whole change', async () => {
    const before = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
    const answer = await patch(before.shortId, { title: 'New', sql: 'select 6', analyticalDatabaseConfigId: 'db_unknown' })
    expectRefusal(answer, 'database_not_found')
    expect(await get(before.shortId)).toEqual(before)
  })

  test('a deletion can be fully undone within 30 days', async () => {
    const { id } = await storeQuery(shop, 'select {{a}}')
    const content = { title: 'Kept', description: 'b', parameters: [parameter('a', 'text', 'x')], visualization: { type: 'table' } }
    const before = await storeReference(shop, id, content)
    const path = `/app/api/references/${before.shortId}`
    const restore = () => shop.admin.page('POST', `${path}/restore`)
    const dayMs = 24 * 3600_000
    async function deleteDaysAgo(days: number) {
      expect((await shop.admin.page('DELETE', path)).statusCode).toBe(200)
      const deletedAt = new Date(service.clock.now().getTime() - days * dayMs)
      await service.services.db.updateTable('query_references').set({ deleted_at: deletedAt }).where('id', '=', before.id).execute()
    }
    for (const days of [0, 29]) {
      await deleteDaysAgo(days)
      expect((await restore()).json()).toEqual(before)
      expect(await get(before.shortId)).toEqual(before)
      // Restoring again succeeds.
      expect((await restore()).json()).toEqual(before)
    }
    await deleteDaysAgo(30)
    expectRefusal(await restore(), 'reference_not_found')
    for (const name of ['abcdefghjk', 'no-id']) {
      expectRefusal(await shop.admin.page('POST', `/app/api/references/${name}/restore`), 'reference_not_found')
    }
  })

  test('an automation has a restored reference again', async () => {
    const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
    const automation = (
      await shop.admin.page('POST', '/app/api/automations', { name: 'A', instructions: 'Look.', references: [shortId] })
    ).json()
    const references = async () =>
      (await shop.admin.page('GET', `/app/api/automations/${automation.id}`)).json().references as unknown[]
    expect(await references()).toHaveLength(1)
    await shop.admin.page('DELETE', `/app/api/references/${shortId}?evenIfUsed=true`)
    expect(await references()).toHaveLength(0)
    await shop.admin.page('POST', `/app/api/references/${shortId}/restore`)
    expect(await references()).toHaveLength(1)
  })

  test('delete responds like the published route', async () => {
    const reference = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
    const deleted = await shop.admin.page('DELETE', `/app/api/references/${reference.shortId}`)
    expect(Object.keys(deleted.json()).toSorted()).toEqual(
      ['id', 'shortId', 'title', 'description', 'queryId', 'createdAt', 'updatedAt', 'deletedAt'].toSorted(),
    )
    expectRefusal(await shop.admin.page('GET', `/app/api/references/${reference.shortId}`), 'reference_not_found')
  })
})
