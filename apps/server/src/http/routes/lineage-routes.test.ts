import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAutomation } from '../../../testing/http/automation-requests.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'

let service: TestService
let shop: TestOrganization
let refDatabaseId: string

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  refDatabaseId = (await shop.admin.page('POST', '/app/api/databases/saved-queries')).json<{ id: string }>().id
})
afterAll(() => service.stop())

async function save(title: string, sql: string, analyticalDatabaseConfigId = shop.databaseId): Promise<{ id: string; shortId: string }> {
  const { id: queryId } = (await shop.admin.page('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId })).json<{ id: string }>()
  return (await shop.admin.page('POST', '/app/api/references', { queryId, title })).json<{ id: string; shortId: string }>()
}

test('shows what a reference reads, what uses it, and what breaks without a column', async () => {
  await shop.admin.page('GET', `/app/api/databases/${shop.databaseId}/tables`)
  const direct = await save('Direct', 'select n from numbers')
  await save('Counted', 'select count(*) from numbers')
  const second = await save('Second', `select r.n from ref('${direct.shortId}') r`, refDatabaseId)
  await save('Mentioned', `select '${direct.shortId}'`, refDatabaseId)
  const tile = { kind: 'reference', referenceShortId: direct.shortId, x: 0, y: 0, width: 6, height: 4 }
  const board = (await shop.admin.page('POST', '/app/api/boards', { title: 'Board', tiles: [tile] })).json<{ shortId: string }>()
  const automation = await createAutomation(shop, { name: 'Daily', references: [second.shortId] })

  const lineageOf = async (shortId: string) => (await shop.admin.api('GET', `/api/references/${shortId}/lineage`)).json<object>()
  const numbers = { analyticalDatabaseConfigId: shop.databaseId, schema: 'main', name: 'numbers', columns: ['n'], readsAllColumns: false }
  expect(await lineageOf(direct.shortId)).toEqual({
    tables: [numbers],
    references: [],
    isComplete: true,
    usedBy: { references: [{ shortId: second.shortId, title: 'Second' }], boards: [{ shortId: board.shortId, title: 'Board' }], automations: [] },
  })
  expect(await lineageOf(second.shortId)).toMatchObject({
    tables: [],
    references: [{ shortId: direct.shortId, title: 'Direct' }],
    usedBy: { references: [], boards: [], automations: [{ id: automation.id, name: 'Daily' }] },
  })

  const users = async (search: string) => (await shop.admin.api('GET', `/api/databases/${shop.databaseId}/users?schema=main&table=numbers${search}`)).json<object>()
  expect(await users('&column=n')).toEqual({
    references: [
      { shortId: direct.shortId, title: 'Direct', isCertain: true, through: null },
      { shortId: second.shortId, title: 'Second', isCertain: true, through: { shortId: direct.shortId, title: 'Direct' } },
    ],
    boards: [{ shortId: board.shortId, title: 'Board' }],
    automations: [{ id: automation.id, name: 'Daily' }],
  })
  expect(await users('')).toMatchObject({ references: [{ title: 'Counted' }, { title: 'Direct' }, { title: 'Second' }] })
  expect(await users('&column=other')).toEqual({ references: [], boards: [], automations: [] })
})

test('shows what a board and an automation read, also through other references', async () => {
  await shop.admin.page('GET', `/app/api/databases/${shop.databaseId}/tables`)
  const counted = await save('Counted numbers', 'select count(*) as many from numbers')
  const input = await save('Input', 'select numbers.n from numbers')
  const reader = await save('Reads the input', `select r.n from ref('${input.shortId}') r`, refDatabaseId)
  const tiles = [counted, reader].map(({ shortId }, at) => ({ kind: 'reference', referenceShortId: shortId, x: 6 * at, y: 0, width: 6, height: 4 }))
  const board = (await shop.admin.page('POST', '/app/api/boards', { title: 'Numbers', tiles })).json<{ shortId: string }>()
  const condition = { reference: reader.shortId, kind: 'changed' }
  const automation = await createAutomation(shop, { name: 'Watches', references: [counted.shortId], condition })

  const [first, second] = [{ shortId: counted.shortId, title: 'Counted numbers' }, { shortId: reader.shortId, title: 'Reads the input' }]
  const reads = {
    references: [{ ...first, through: null }, { ...second, through: null }, { shortId: input.shortId, title: 'Input', through: second }],
    tables: [{ analyticalDatabaseConfigId: shop.databaseId, schema: 'main', name: 'numbers', columns: ['n'], readsAllColumns: false }],
    isComplete: true,
  }
  expect((await shop.admin.api('GET', `/api/boards/${board.shortId}/lineage`)).json()).toEqual(reads)
  expect((await shop.admin.page('GET', `/app/api/boards/${board.shortId}/lineage`)).json()).toEqual(reads)
  expect((await shop.admin.api('GET', `/api/automations/${automation.id}/lineage`)).json()).toEqual(reads)
  expect((await shop.admin.page('GET', `/app/api/automations/${automation.id}/lineage`)).json()).toEqual(reads)

  const unsure = await save('Unsure', 'select * from range(3)')
  const another = (await shop.admin.page('POST', '/app/api/boards', { title: 'Unsure', tiles: [{ ...tiles[0], referenceShortId: unsure.shortId }] })).json<{ shortId: string }>()
  expect((await shop.admin.api('GET', `/api/boards/${another.shortId}/lineage`)).json()).toMatchObject({ tables: [], isComplete: false })
})

test('deletes a reference that others use only after a confirmation', async () => {
  const used = await save('Used', 'select 1 as n')
  const reader = await save('Reader', `select n from ref('${used.shortId}') r`, refDatabaseId)
  const tile = { kind: 'reference', referenceShortId: used.shortId, x: 0, y: 0, width: 6, height: 4 }
  const board = (await shop.admin.page('POST', '/app/api/boards', { title: 'Shows it', tiles: [tile] })).json<{ shortId: string }>()
  const automation = await createAutomation(shop, { name: 'Looks at it', references: [used.shortId] })
  const remove = (search = '') => shop.admin.page('DELETE', `/app/api/references/${used.shortId}${search}`)

  const refused = await remove()
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({
    code: 'reference_in_use',
    details: [
      { path: `/references/${reader.shortId}`, message: 'Reader' },
      { path: `/boards/${board.shortId}`, message: 'Shows it' },
      { path: `/automations/${automation.id}`, message: 'Looks at it' },
    ],
  })
  expect((await remove('?evenIfUsed=maybe')).statusCode).toBe(400)
  expect((await remove('?evenIfUsed=true')).statusCode).toBe(200)
  expect((await remove()).json()).toMatchObject({ code: 'reference_not_found' })
  // The published route asks nothing, as its contract says.
  expect((await shop.admin.page('POST', `/app/api/references/${used.shortId}/restore`)).statusCode).toBe(200)
  expect((await shop.admin.api('DELETE', `/api/queries/refs/${used.shortId}`)).statusCode).toBe(200)
})

test('deletes many items that others use only after a confirmation', async () => {
  const used = await save('Used by several', 'select 1 as n')
  const reader = await save('Deleted with it', `select n from ref('${used.shortId}') r`, refDatabaseId)
  const kept = await save('Kept', `select n + 1 as n from ref('${used.shortId}') r`, refDatabaseId)
  const remove = (shortIds: string[], search = '') =>
    shop.admin.page('POST', `/app/api/items/delete${search}`, { items: shortIds.map((shortId) => ({ kind: 'reference', shortId })) })

  const refused = await remove([used.shortId, reader.shortId])
  expect(refused.statusCode).toBe(409)
  expect(refused.json()).toMatchObject({ code: 'reference_in_use', details: [{ path: `/references/${kept.shortId}`, message: 'Kept' }] })
  expect((await remove([used.shortId], '?evenIfUsed=maybe')).statusCode).toBe(400)
  expect((await remove([used.shortId, reader.shortId, kept.shortId])).statusCode).toBe(204)
  const again = await save('Used again', 'select 2 as n')
  await save('Reads it', `select n from ref('${again.shortId}') r`, refDatabaseId)
  expect((await remove([again.shortId], '?evenIfUsed=true')).statusCode).toBe(204)
})

test('rejects unknown references, boards, automations, databases and missing tables', async () => {
  expect((await shop.admin.api('GET', '/api/boards/abcdefghjk/lineage')).json()).toMatchObject({ code: 'board_not_found' })
  expect((await shop.admin.api('GET', '/api/automations/automation_none/lineage')).json()).toMatchObject({ code: 'automation_not_found' })
  expect((await shop.admin.api('GET', '/api/references/abcdefghjk/lineage')).json()).toMatchObject({ code: 'reference_not_found' })
  expect((await shop.admin.api('GET', '/api/databases/db_none/users?schema=main&table=x')).json()).toMatchObject({ code: 'database_not_found' })
  expect((await shop.admin.api('GET', `/api/databases/${shop.databaseId}/users?schema=main`)).json()).toMatchObject({ code: 'invalid_request' })
})
