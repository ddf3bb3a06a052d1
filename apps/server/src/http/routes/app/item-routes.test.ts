import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import { ruleKindsOf, storeKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'

describe.each(storeKinds)('favorites, views, tags and folders on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let maria: TestPerson
  let queryId: string
  let query: string
  let board: string

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    maria = await shop.addPerson('member', 'maria@shop.test')
    queryId = (await storeQuery(shop, 'select 1')).id
    query = `/app/api/references/${(await storeReference(shop, queryId, { title: 'Revenue' })).shortId}`
    board = `/app/api/boards/${(await shop.admin.page('POST', '/app/api/boards', { title: 'Overview' })).json().shortId}`
  })
  afterAll(() => service.stop())

  const titlesOf = async (person: TestPerson, list: string) =>
    (await person.page('GET', list)).json<{ items: { title: string }[] }>().items.map(({ title }) => title)
  const marksOf = async (person: TestPerson, item: string) => (await person.page('GET', `${item}/marks`)).json()
  const recordsOf = async () => {
    const { items } = (await shop.admin.page('GET', '/app/api/audit-log?limit=100')).json<{ items: { action: string; details: object }[] }>()
    return items.filter(({ action }) => action.endsWith('.changed')).map(({ details }) => details)
  }

  test('a favorite is of one person, in order of titles, until it is removed', async () => {
    for (const item of [query, board, query]) expect((await maria.page('PUT', `${item}/favorite`)).statusCode).toBe(204)
    expect(await titlesOf(maria, '/app/api/favorites')).toEqual(['Overview', 'Revenue'])
    expect(await titlesOf(shop.admin, '/app/api/favorites')).toEqual([])
    expect(await marksOf(maria, board)).toEqual({ isFavorite: true, folderId: null, tags: [] })
    expect(await marksOf(shop.admin, board)).toMatchObject({ isFavorite: false })
    expect(await titlesOf(maria, '/app/api/references?favoriteOf=me')).toEqual(['Revenue'])
    expect(await titlesOf(shop.admin, '/app/api/references?favoriteOf=me')).toEqual([])
    for (let time = 0; time < 2; time++) expect((await maria.page('DELETE', `${query}/favorite`)).statusCode).toBe(204)
    expect(await titlesOf(maria, '/app/api/favorites')).toEqual(['Overview'])
  })

  test('refuses more favorites than a person can use', async () => {
    const { db } = service.services
    const { organizationId, userId } = shop.admin.caller
    const others = Array.from({ length: 200 }, (_, at) => ({
      organization_id: organizationId,
      user_id: userId,
      kind: 'board' as const,
      item_id: `board_${at}`,
      created_at: service.clock.now(),
    }))
    await db.insertInto('favorites').values(others).execute()
    expectRefusal(await shop.admin.page('PUT', `${query}/favorite`), 'invalid_request', { message: /^You have 200 favorites/ })
    await db.deleteFrom('favorites').where('user_id', '=', userId).execute()
    expect((await shop.admin.page('PUT', `${query}/favorite`)).statusCode).toBe(204)
  })

  test('shows what a person opened last, and keeps 50', async () => {
    for (const item of [query, board, query]) {
      service.clock.leap(61_000)
      expect((await maria.page('POST', `${item}/views`)).statusCode).toBe(204)
    }
    expect(await titlesOf(maria, '/app/api/recently-viewed')).toEqual(['Revenue', 'Overview'])
    expect(await titlesOf(shop.admin, '/app/api/recently-viewed')).toEqual([])

    const { organizationId, userId } = maria.caller
    const earlier = Array.from({ length: 60 }, (_, at) => ({
      organization_id: organizationId,
      user_id: userId,
      kind: 'board' as const,
      item_id: `board_${at}`,
      viewed_at: new Date(service.clock.now().getTime() - 3_600_000 - at),
    }))
    await service.services.db.insertInto('recent_views').values(earlier).execute()
    service.clock.leap(61_000)
    await maria.page('POST', `${board}/views`)
    expect(await titlesOf(maria, '/app/api/recently-viewed')).toEqual(['Overview', 'Revenue'])
    const kept = await service.services.db.selectFrom('recent_views').selectAll().where('user_id', '=', userId).execute()
    expect(kept).toHaveLength(50)
  })

  test.each(ruleKindsOf(kind))('writes nothing for a page that is reloaded within a minute', async () => {
    const viewedAt = async () => (await shop.admin.page('GET', '/app/api/recently-viewed')).json().items[0].viewedAt
    await shop.admin.page('POST', `${query}/views`)
    const before = await viewedAt()
    service.clock.leap(30_000)
    await shop.admin.page('POST', `${query}/views`)
    expect(await viewedAt()).toBe(before)
  })

  test('tags are the same for everybody, are suggested, and filter the list', async () => {
    const tagged = await maria.page('PUT', `${query}/tags`, { tags: [' Finance', 'weekly', 'finance', 'Été'] })
    expect(tagged.json()).toEqual({ tags: ['finance', 'weekly', 'Été'] })
    await maria.page('PUT', `${board}/tags`, { tags: ['Weekly'] })
    expect((await shop.admin.page('GET', '/app/api/tags')).json().items).toEqual([
      { tag: expect.stringMatching(/^weekly$/i), count: 2 },
      { tag: 'finance', count: 1 },
      { tag: 'Été', count: 1 },
    ])
    expect(await titlesOf(shop.admin, '/app/api/references?tag=FINANCE')).toEqual(['Revenue'])
    expect(await titlesOf(shop.admin, '/app/api/references?tag=fin')).toEqual([])
    expect(await titlesOf(shop.admin, '/app/api/references/best?search=rev&tag=weekly')).toEqual(['Revenue'])
    expect(await recordsOf()).toContainEqual({ changes: { tags: { before: [], after: ['Weekly'] } } })
    expect((await maria.page('PUT', `${query}/tags`, { tags: [] })).json()).toEqual({ tags: [] })
    expect(await titlesOf(shop.admin, '/app/api/references?tag=finance')).toEqual([])
  })

  test.each([
    ['an empty tag', ['a', ' '], '/tags/1'],
    ['a long tag', ['a'.repeat(51)], '/tags/0'],
    ['a tag with a line break', ['a\nb'], '/tags/0'],
    ['more than 20 tags', Array.from({ length: 21 }, (_, at) => `tag ${at}`), '/tags'],
  ])('refuses %s', async (_, tags, path) => {
    const answer = await maria.page('PUT', `${query}/tags`, { tags })
    expectRefusal(answer, 'invalid_request', { details: [{ path, message: expect.any(String) }] })
  })

  test('moves a query into a folder and back, and lists a folder', async () => {
    const { id: folderId } = (await maria.page('POST', '/app/api/folders', { name: 'Reports' })).json()
    expect((await maria.page('PATCH', query, { folderId })).statusCode).toBe(200)
    expect(await marksOf(maria, query)).toMatchObject({ folderId })
    expect(await titlesOf(maria, `/app/api/references?folder=${folderId}`)).toEqual(['Revenue'])
    expect(await titlesOf(maria, '/app/api/references?folder=none')).toEqual([])
    const [moved] = (await maria.page('GET', '/app/api/references')).json<{ items: { folderId: string }[] }>().items
    expect(moved).toMatchObject({ folderId, tags: [], isFavorite: false })
    expect(await recordsOf()).toContainEqual({ changes: { folderId: { before: null, after: folderId } } })
    expectRefusal(await maria.page('DELETE', `/app/api/folders/${folderId}`), 'folder_not_empty')
    await maria.page('PATCH', query, { folderId: null })
    expect(await titlesOf(maria, '/app/api/references?folder=none')).toEqual(['Revenue'])
    expect((await maria.page('DELETE', `/app/api/folders/${folderId}`)).statusCode).toBe(204)
    expectRefusal(await maria.page('PATCH', query, { folderId }), 'folder_not_found')
  })

  test.each(ruleKindsOf(kind))('leaves out a deleted query, and remembers it when it is restored', async () => {
    const { shortId } = await storeReference(shop, queryId, { title: 'Temporary' })
    const item = `/app/api/references/${shortId}`
    await maria.page('PUT', `${item}/favorite`)
    await maria.page('PUT', `${item}/tags`, { tags: ['short-lived'] })
    await shop.admin.page('DELETE', item)
    expect(await titlesOf(maria, '/app/api/favorites')).toEqual(['Overview'])
    expect((await maria.page('GET', '/app/api/tags')).json().items).not.toContainEqual({ tag: 'short-lived', count: 1 })
    expectRefusal(await maria.page('PUT', `${item}/favorite`), 'reference_not_found')
    await shop.admin.page('POST', `${item}/restore`)
    expect(await marksOf(maria, item)).toEqual({ isFavorite: true, folderId: null, tags: ['short-lived'] })
  })

  test.each(ruleKindsOf(kind))('refuses items of another organization, and does not list them', async () => {
    const bank = await service.addOrganization('bank')
    for (const [item, code] of [[query, 'reference_not_found'], [board, 'board_not_found']] as const) {
      expectRefusal(await bank.admin.page('GET', `${item}/marks`), code)
      expectRefusal(await bank.admin.page('PUT', `${item}/favorite`), code)
      expectRefusal(await bank.admin.page('DELETE', `${item}/favorite`), code)
      expectRefusal(await bank.admin.page('POST', `${item}/views`), code)
      expectRefusal(await bank.admin.page('PUT', `${item}/tags`, { tags: ['taken'] }), code)
    }
    for (const list of ['favorites', 'recently-viewed', 'tags']) {
      expect((await bank.admin.page('GET', `/app/api/${list}`)).json()).toEqual({ items: [] })
    }
  })
})
