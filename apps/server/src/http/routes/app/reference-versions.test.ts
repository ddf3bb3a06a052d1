import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, expectRefusal, parameter, storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'

describe.each(routeStoreKinds)('versions of references on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'versions@shop.test')
  })
  afterAll(() => service.stop())

  const ada = () => ({ id: shop.admin.caller.userId, name: 'admin' })
  const add = async (content: object = {}) =>
    storeReference(shop, (await storeQuery(shop, 'select 1')).id, { title: 'Orders', ...content })
  const patch = async (shortId: string, body: object, person = shop.admin) => {
    const answer = await person.page('PATCH', `/app/api/references/${shortId}`, body)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  const list = async (shortId: string, search = '') =>
    (await shop.admin.page('GET', `/app/api/references/${shortId}/versions${search}`)).json()
  const read = (shortId: string, number: number) => shop.admin.page('GET', `/app/api/references/${shortId}/versions/${number}`)
  const restore = (shortId: string, number: number) =>
    shop.admin.page('POST', `/app/api/references/${shortId}/versions/${number}/restore`)

  test('every saved state is a version that says who changed what', async () => {
    const { shortId } = await add()
    const createdAt = service.clock.now().toISOString()
    await service.clock.advance(1000)
    const changedAt = service.clock.now().toISOString()
    const folder = (await shop.admin.page('POST', '/app/api/folders', { name: 'History' })).json()
    await patch(shortId, { title: 'Orders by day', sql: 'select 2' }, member)
    await patch(shortId, { visualization: { type: 'table' }, parameters: [parameter('n', 'number', '1')], description: 'x' })
    await patch(shortId, { folderId: folder.id })
    expect(await list(shortId)).toEqual({
      items: [
        { ...version(4, ['folder']), isCurrent: true, changedAt },
        { ...version(3, ['description', 'visualization', 'parameters']), changedAt },
        { ...version(2, ['title', 'sql']), changedAt, changedBy: { id: member.caller.userId, name: 'versions' } },
        { ...version(1, []), title: 'Orders', changedAt: createdAt },
      ],
    })
    expect((await read(shortId, 1)).json()).toMatchObject({ title: 'Orders', sql: 'select 1', parameters: [], folderId: null })
    expect((await read(shortId, 4)).json()).toMatchObject({
      title: 'Orders by day',
      description: 'x',
      sql: 'select 2',
      analyticalDatabaseConfigId: shop.databaseId,
      visualization: { type: 'table' },
      parameters: [parameter('n', 'number', '1')],
      folderId: folder.id,
      isCurrent: true,
    })
  })

  const version = (number: number, changedParts: string[]) => ({
    number,
    title: 'Orders by day',
    changedParts,
    restoredNumber: null,
    changedBy: ada(),
    isCurrent: false,
  })

  test('a change through the public API is a version too, and one that changes nothing is none', async () => {
    const { shortId } = await add()
    await shop.admin.api('PUT', `/api/queries/refs/${shortId}`, { title: 'Sales' })
    await patch(shortId, { title: 'Sales', sql: 'select 1' })
    expect((await list(shortId)).items).toMatchObject([{ number: 2, changedParts: ['title'] }, { number: 1 }])
  })

  test('pages follow each other', async () => {
    const { shortId } = await add()
    for (const title of ['A', 'B']) await patch(shortId, { title })
    const first = await list(shortId, '?limit=2')
    expect(first.items).toMatchObject([{ number: 3 }, { number: 2 }])
    const second = await list(shortId, `?limit=2&cursor=${first.nextCursor}`)
    expect(second).toEqual({ items: [expect.objectContaining({ number: 1 })] })
    const other = await add()
    const answer = await shop.admin.page('GET', `/app/api/references/${other.shortId}/versions?cursor=${first.nextCursor}`)
    expectRefusal(answer, 'cursor_invalid', at('cursor'))
  })

  test('an earlier version is restored as a new one and stays in the folder of today', async () => {
    const { shortId, currentQuery } = await add({ parameters: [parameter('n', 'number', '1')] })
    const folder = (await shop.admin.page('POST', '/app/api/folders', { name: 'Kept' })).json()
    await patch(shortId, { title: 'Sales', sql: 'select 2', parameters: [], visualization: { type: 'table' } })
    await patch(shortId, { folderId: folder.id })
    const restored = (await restore(shortId, 1)).json()
    expect(restored).toMatchObject({ title: 'Orders', currentQuery, parameters: [{ name: 'n' }] })
    expect(restored).not.toHaveProperty('visualization')
    const changedParts = ['title', 'sql', 'visualization', 'parameters']
    expect((await list(shortId)).items[0]).toMatchObject({ number: 4, restoredNumber: 1, changedParts, isCurrent: true })
    expect((await read(shortId, 4)).json()).toMatchObject({ folderId: folder.id })
    // Undo restores the version before.
    expect((await restore(shortId, 3)).json()).toMatchObject({ title: 'Sales', currentQuery: { sql: 'select 2' } })
  })

  test('restoring the current version saves nothing', async () => {
    const { shortId } = await add()
    expect((await restore(shortId, 1)).json()).toMatchObject({ title: 'Orders' })
    expect((await list(shortId)).items).toHaveLength(1)
  })

  test('rejects versions that do not exist or have no SQL', async () => {
    const { shortId } = await add()
    expectRefusal(await read(shortId, 2), 'reference_not_found', { message: /no version 2/ })
    expectRefusal(await restore(shortId, 2), 'reference_not_found', { message: /no version 2/ })
    expectRefusal(await restore(shortId, 0), 'invalid_request', at('version'))
    const reserved = (await shop.admin.page('POST', '/app/api/references', {})).json()
    await patch(reserved.shortId, { sql: 'select 1', analyticalDatabaseConfigId: shop.databaseId })
    expect((await read(reserved.shortId, 1)).json()).toMatchObject({ isOptimistic: true, sql: '' })
    expectRefusal(await restore(reserved.shortId, 1), 'invalid_request', { message: /Version 1 has no SQL/ })
  })

  test('the history survives a deletion that is undone', async () => {
    const { shortId } = await add()
    await patch(shortId, { title: 'Sales' })
    await shop.admin.page('DELETE', `/app/api/references/${shortId}`)
    expectRefusal(await read(shortId, 1), 'reference_not_found')
    expectRefusal(await restore(shortId, 1), 'reference_not_found')
    await shop.admin.page('POST', `/app/api/references/${shortId}/restore`)
    expect((await list(shortId)).items).toHaveLength(2)
  })
})
