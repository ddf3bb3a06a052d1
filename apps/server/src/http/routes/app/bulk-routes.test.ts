import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restoreItems } from '../../../domain/items/change-items.ts'
import { trashSweeps } from '../../../domain/items/sweep-trash.ts'
import { listTrash } from '../../../domain/items/trash.ts'
import { textTile } from '../../../../testing/http/board-requests.ts'
import { createAutomation } from '../../../../testing/http/automation-requests.ts'
import { at, expectRefusal, storeQuery, storeReference, unknownShortId } from '../../../../testing/http/requests.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'

const dayMs = 24 * 3600_000

interface Item {
  kind: 'reference' | 'board'
  shortId: string
}

describe.each(routeStoreKinds)('the trash and changes of many items on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
  })
  afterAll(() => service.stop())

  let organizations = 0
  /** Every test has an organization of its own, so that nothing else is in its trash. */
  const start = async () => {
    organizations += 1
    shop = await service.addOrganization(`shop${organizations}`)
    member = await shop.addPerson('member', `member${organizations}@shop.test`)
  }

  const addQuery = async (title: string): Promise<Item> => ({
    kind: 'reference',
    shortId: (await storeReference(shop, (await storeQuery(shop, 'select 1')).id, { title })).shortId,
  })
  const addBoard = async (title: string, content: object = {}): Promise<Item> => ({
    kind: 'board',
    shortId: (await shop.admin.page('POST', '/app/api/boards', { title, ...content })).json().shortId,
  })
  const addFolder = async (name: string): Promise<string> =>
    (await shop.admin.page('POST', '/app/api/folders', { name })).json().id
  const change = (action: string, items: object[], person = shop.admin) =>
    person.page('POST', `/app/api/items/${action}`, { items })
  const succeed = async (action: string, items: object[], person = shop.admin) => {
    const answer = await change(action, items, person)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    return answer.statusCode === 204 ? undefined : answer.json().items
  }
  const pathOf = ({ kind: itemKind, shortId }: Item) => `/app/api/${itemKind}s/${shortId}`
  const get = (item: Item) => shop.admin.page('GET', pathOf(item))
  const marksOf = async (item: Item) => (await shop.admin.page('GET', `${pathOf(item)}/marks`)).json()
  const trash = async (search = '', organization = shop) =>
    (await organization.admin.page('GET', `/app/api/trash${search}`)).json()
  const titlesInTrash = async () => (await trash()).items.map(({ title }: { title: string }) => title)
  const sweep = async () => {
    for (const { removeBatch } of trashSweeps(service.services)) await removeBatch()
  }

  test('deleted queries and boards are in the trash, with who deleted them and until when they stay', async () => {
    await start()
    const [query, board] = [await addQuery('Orders'), await addBoard('Revenue')]
    await member.page('DELETE', pathOf(query))
    const first = service.clock.now()
    await service.clock.advance(1000)
    await succeed('delete', [board])
    const deletedBy = (person: TestPerson, name: string) => ({ id: person.caller.userId, name })
    expect(await trash()).toEqual({
      items: [
        {
          ...board,
          title: 'Revenue',
          deletedAt: service.clock.now().toISOString(),
          deletedBy: deletedBy(shop.admin, 'admin'),
          removedAt: new Date(service.clock.now().getTime() + 30 * dayMs).toISOString(),
        },
        {
          ...query,
          title: 'Orders',
          deletedAt: first.toISOString(),
          deletedBy: deletedBy(member, `member${organizations}`),
          removedAt: new Date(first.getTime() + 30 * dayMs).toISOString(),
        },
      ],
    })
  })

  test('restored items have their title, permalink, tags, favorites and history', async () => {
    await start()
    const items = [await addQuery('Orders'), await addBoard('Revenue', { tiles: [textTile('a', 0)] })]
    const before = []
    for (const item of items) {
      await shop.admin.page('PUT', `${pathOf(item)}/favorite`)
      await shop.admin.page('PUT', `${pathOf(item)}/tags`, { tags: ['weekly'] })
      before.push(await marksOf(item))
    }
    await succeed('delete', items)
    for (const item of items) expect((await get(item)).statusCode).toBe(404)
    await succeed('restore', items, member)
    expect(await titlesInTrash()).toEqual([])
    expect((await get(items[0]!)).json()).toMatchObject({ title: 'Orders' })
    expect((await get(items[1]!)).json()).toMatchObject({ title: 'Revenue', tiles: [{ id: 'a' }], version: 3 })
    expect([await marksOf(items[0]!), await marksOf(items[1]!)]).toEqual(before)
    for (const item of items) {
      const versions = (await shop.admin.page('GET', `${pathOf(item)}/versions`)).json()
      expect(versions.items.at(-1)).toMatchObject({ number: 1 })
    }
  })

  test('an item whose folder was deleted since is restored at the top', async () => {
    await start()
    const folderId = await addFolder('Finance')
    const items = [await addQuery('Orders'), await addBoard('Revenue')]
    await succeed('move', items.map((item) => ({ ...item, folderId })))
    await succeed('delete', items)
    await shop.admin.page('DELETE', `/app/api/folders/${folderId}`)
    await succeed('restore', items)
    for (const item of items) expect(await marksOf(item)).toMatchObject({ folderId: null })
  })

  test('all pages of the trash show the moment of the first', async () => {
    await start()
    const [a, b, c] = [await addQuery('a'), await addBoard('b'), await addQuery('c')]
    for (const item of [a, b, c]) {
      await succeed('delete', [item])
      await service.clock.advance(1000)
    }
    const first = await trash('?limit=1')
    expect(first.items).toMatchObject([c])
    await succeed('restore', [a])
    await succeed('delete', [await addQuery('d')])
    const rest = await trash(`?limit=10&cursor=${first.nextCursor}`)
    expect(rest.items).toMatchObject([b, a])
    expect(await titlesInTrash()).toEqual(['d', 'c', 'b'])
    const other = await service.addOrganization(`other${organizations}`)
    expect(await trash('', other)).toEqual({ items: [] })
    for (const action of ['restore', 'remove']) {
      expectRefusal(await change(action, [b], other.admin), 'invalid_request', at('/items/0', expect.stringContaining('in the trash')))
    }
    expectRefusal(await other.admin.page('GET', `/app/api/trash?cursor=${first.nextCursor}`), 'cursor_invalid', at('cursor'))
  })

  test('an admin permanently removes items; a sweep deletes them once no list can show them', async () => {
    await start()
    const items = [await addQuery('Orders'), await addBoard('Revenue')]
    await succeed('delete', items)
    expectRefusal(await change('remove', items, member), 'forbidden')
    await succeed('remove', items)
    expect(await titlesInTrash()).toEqual([])
    expectRefusal(await change('restore', items), 'invalid_request', {
      details: [0, 1].map((index) => ({ path: `/items/${index}`, message: expect.stringContaining('in the trash') })),
    })
    const [query, board] = items
    expectRefusal(await shop.admin.page('POST', `${pathOf(query!)}/restore`), 'reference_not_found')
    expectRefusal(await shop.admin.page('POST', `${pathOf(board!)}/versions/1/restore`), 'board_not_found')
    expectRefusal(await change('remove', [query!]), 'invalid_request', at('/items/0'))
    await sweep()
    expect(await stored(items)).toEqual(['Orders', 'Revenue'])
    await service.clock.advance(9 * dayMs)
    await sweep()
    expect(await stored(items)).toEqual([])
  })

  const stored = async (items: Item[]) => {
    const { db } = service.services
    const shortIds = items.map(({ shortId }) => shortId)
    const queries = await db.selectFrom('query_references').select('title').where('short_id', 'in', shortIds).execute()
    const boards = await db.selectFrom('boards').select('title').where('short_id', 'in', shortIds).execute()
    return [...queries, ...boards].map(({ title }) => title)
  }

  test('after 30 days a sweep removes what is in the trash, except a query that an automation watches', async () => {
    await start()
    const [used, watched, kept, restored] = [await addQuery('used'), await addQuery('watched'), await addQuery('kept'), await addQuery('back')]
    const condition = { kind: 'changed', reference: watched.shortId }
    await createAutomation(shop, { references: [used.shortId, watched.shortId], condition })
    await succeed('delete?evenIfUsed=true', [used, watched, restored])
    await succeed('restore', [restored])
    await service.clock.advance(29 * dayMs)
    await sweep()
    // Both were deleted at the same time.
    expect((await titlesInTrash()).toSorted()).toEqual(['used', 'watched'])
    await service.clock.advance(2 * dayMs)
    // The sessions have expired too.
    const { caller } = shop.admin
    expect(await listTrash(service.services, caller, { limit: 10 })).toEqual({ items: [] })
    await expect(restoreItems(service.services, caller, [used])).rejects.toMatchObject({ code: 'invalid_request' })
    await sweep()
    expect(await stored([used, watched, kept, restored])).toEqual(expect.arrayContaining(['watched', 'kept', 'back']))
    expect(await stored([used])).toEqual([])
    const rows = await service.services.db.selectFrom('deleted_items').select('id').where('organization_id', '=', caller.organizationId).execute()
    expect(rows).toHaveLength(1)
  })

  test('moves items, and its answer undoes it', async () => {
    await start()
    const [finance, sales] = [await addFolder('Finance'), await addFolder('Sales')]
    const [query, board] = [await addQuery('Orders'), await addBoard('Revenue')]
    await succeed('move', [{ ...query, folderId: sales }])
    const undo = await succeed('move', [{ ...query, folderId: finance }, { ...board, folderId: finance }])
    expect(undo).toEqual([{ ...query, folderId: sales }, { ...board, folderId: null }])
    expect([await marksOf(query), await marksOf(board)]).toMatchObject([{ folderId: finance }, { folderId: finance }])
    await succeed('move', undo)
    expect([await marksOf(query), await marksOf(board)]).toMatchObject([{ folderId: sales }, { folderId: null }])
    // An item that is already there gets no version.
    await succeed('move', [{ ...board, folderId: null }])
    expect((await get(board)).json()).toMatchObject({ version: 3 })
  })

  test('tags items, and its answer undoes it', async () => {
    await start()
    const [query, board] = [await addQuery('Orders'), await addBoard('Revenue')]
    await succeed('tag', [{ ...query, add: ['Weekly', 'old'], remove: [] }])
    const tags = { add: [' weekly ', 'new'], remove: ['OLD'] }
    const undo = await succeed('tag', [{ ...query, ...tags }, { ...board, ...tags }])
    expect(undo).toEqual([
      { ...query, add: ['old'], remove: ['new'] },
      { ...board, add: [], remove: ['new', 'weekly'] },
    ])
    expect([await marksOf(query), await marksOf(board)]).toMatchObject([{ tags: ['new', 'Weekly'] }, { tags: ['new', 'weekly'] }])
    await succeed('tag', undo)
    expect([await marksOf(query), await marksOf(board)]).toMatchObject([{ tags: ['old', 'Weekly'] }, { tags: [] }])
  })

  test('changes nothing if one item can’t be changed, and says which', async () => {
    await start()
    const [query, board] = [await addQuery('Orders'), await addBoard('Revenue')]
    const missing = { kind: 'board', shortId: unknownShortId }
    expectRefusal(await change('delete', [query, missing, board, board]), 'invalid_request', {
      message: /2 of 4 items/,
      details: [
        { path: '/items/1', message: expect.stringContaining('There is no board') },
        { path: '/items/3', message: 'is listed twice' },
      ],
    })
    expect((await get(query)).statusCode).toBe(200)
    const nowhere = [{ ...query, folderId: 'folder_x' }]
    expectRefusal(await change('move', nowhere), 'invalid_request', at('/items/0', expect.stringContaining('no folder')))
    const tooMany = [{ ...query, add: Array.from({ length: 21 }, (_, index) => `tag ${index}`), remove: [] }]
    expectRefusal(await change('tag', tooMany), 'invalid_request', at('/items/0', expect.stringContaining('at most 20')))
  })

  test('changes at most 200 items at once', async () => {
    await start()
    const items = Array.from({ length: 201 }, () => ({ kind: 'board', shortId: unknownShortId }))
    expectRefusal(await change('delete', items), 'invalid_request', at('/items'))
    expectRefusal(await change('delete', []), 'invalid_request', at('/items'))
    expectRefusal(await change('delete', [{ kind: 'chat', shortId: unknownShortId }]), 'invalid_request', at('/items/0/kind'))
  })
})
