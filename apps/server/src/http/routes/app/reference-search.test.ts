import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'
import { storeKinds } from '../../../../testing/store/test-store.ts'
import { endOf, expectRefusal, storeQuery, storeReference } from '../../../../testing/http/requests.ts'

describe.each(storeKinds)('searching references on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let maria: TestPerson
  let otherDatabaseId: string

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
    maria = await shop.addPerson('member', 'maria@shop.test')
    const { db } = service.services
    otherDatabaseId = 'db_other'
    await db
      .insertInto('analytical_database_configs')
      .columns(['id', 'organization_id', 'name', 'engine', 'settings', 'created_by', 'created_at'])
      .expression((from) =>
        from
          .selectFrom('analytical_database_configs')
          .select((row) => [
            row.val(otherDatabaseId).as('id'),
            'organization_id',
            row.val('Other').as('name'),
            'engine',
            'settings',
            'created_by',
            'created_at',
          ])
          .where('id', '=', shop.databaseId),
      )
      .execute()
    await add(shop.admin, { sql: 'select sum(total) from orders', title: 'Revenue by month', description: 'For the Board' })
    await add(shop.admin, { sql: 'select customer_id from shop.returns', title: 'Crème brûlée sales' })
    await add(maria, { sql: "select * from numbers where note = 'Größe'", title: 'Numbers', databaseId: otherDatabaseId })
    await add(maria, { sql: 'select 1', title: 'Revenue, first draft' })
  })
  afterAll(() => service.stop())

  async function add(
    person: TestPerson,
    input: { sql: string; title: string; description?: string; databaseId?: string },
  ): Promise<{ shortId: string; currentQuery: { id: string } }> {
    await service.clock.advance(1000)
    const { sql, databaseId: analyticalDatabaseConfigId = shop.databaseId, ...content } = input
    const query = (await person.page('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId })).json()
    const answer = await person.page('POST', '/app/api/references', { queryId: query.id, ...content })
    expect(answer.statusCode).toBe(201)
    return answer.json()
  }

  const list = (query: Record<string, string>, person = shop.admin) =>
    person.page('GET', `/app/api/references?${new URLSearchParams(query).toString()}`)
  const titles = async (query: Record<string, string>, person = shop.admin) =>
    (await list(query, person)).json<{ items: { title: string }[] }>().items.map(({ title }) => title)

  test.each([
    ['revenue', ['Revenue, first draft', 'Revenue by month']],
    ['REV mon', ['Revenue by month']],
    ['by revenue', ['Revenue by month']],
    ['board', ['Revenue by month']],
    ['creme BRULEE', ['Crème brûlée sales']],
    ['crème', ['Crème brûlée sales']],
    ['grosse', []],
    ['Größe', ['Numbers']],
    ['groß', ['Numbers']],
    ['customer_id', ['Crème brûlée sales']],
    ['returns', ['Crème brûlée sales']],
    ['evenue', []],
    ["'; drop table users; --", []],
    ['a:* & !b | <-> (', []],
    ['  --  ', ['Revenue, first draft', 'Numbers', 'Crème brûlée sales', 'Revenue by month']],
  ])('%s', async (search, expected) => {
    expect(await titles({ search })).toEqual(expected)
  })

  test('by database, and by creator', async () => {
    expect(await titles({ database: otherDatabaseId })).toEqual(['Numbers'])
    expect(await titles({ database: 'db_unknown' })).toEqual([])
    expect(await titles({ createdBy: 'me' }, maria)).toEqual(['Revenue, first draft', 'Numbers'])
    expect(await titles({ createdBy: 'me', search: 'revenue' }, maria)).toEqual(['Revenue, first draft'])
    expect(await titles({ createdBy: 'me', search: 'revenue', database: otherDatabaseId }, maria)).toEqual([])
    expectRefusal(await list({ createdBy: 'maria' }), 'invalid_request', {
      details: [{ path: 'createdBy', message: expect.any(String) }],
    })
  })

  test('items have details that help to choose', async () => {
    const reference = await add(maria, { sql: 'select n from numbers', title: 'Charted' })
    const visualization = { type: 'bar', jsxConfig: '<BarChart><Bar dataKey="n" /></BarChart>' }
    await maria.page('PATCH', `/app/api/references/${reference.shortId}`, { visualization })
    const { items } = (await list({ search: 'charted' })).json()
    const item = {
      id: expect.stringMatching(/^ref_/),
      shortId: reference.shortId,
      title: 'Charted',
      description: null,
      isOptimistic: false,
      createdBy: maria.caller.userId,
      createdByName: 'maria',
      createdAt: service.clock.now().toISOString(),
      updatedAt: service.clock.now().toISOString(),
      currentQuery: { id: reference.currentQuery.id, sql: 'select n from numbers' },
      analyticalDatabaseConfigId: shop.databaseId,
      visualizationType: 'bar',
      verification: null,
      isFavorite: false,
      folderId: null,
      tags: [],
      latestRun: null,
    }
    expect(items).toEqual([item])
    const run = await endOf(service, shop, maria.page('POST', `/app/api/references/${reference.shortId}/runs`))
    expect((await list({ search: 'charted' })).json().items).toEqual([
      {
        ...item,
        latestRun: {
          id: run.id,
          status: 'completed',
          runAt: run.runAt.toISOString(),
          completedAt: run.completedAt!.toISOString(),
          isStopped: false,
        },
      },
    ])
  })

  test('the best matches come first: title, then description, then SQL', async () => {
    await add(maria, { sql: 'select 1 as ocelot', title: 'Birds' })
    await add(maria, { sql: 'select 2', title: 'Zoo', description: 'Every ocelot there is.' })
    await add(maria, { sql: 'select 3', title: 'The old ocelot' })
    await add(maria, { sql: 'select 4', title: 'Ocelot food' })
    await add(shop.admin, { sql: 'select 5', title: 'Ocelot' })
    await add(maria, { sql: 'select 6 as ocelot_count', title: 'Newest' })
    const best = async (query: Record<string, string>) =>
      (await shop.admin.page('GET', `/app/api/references/best?${new URLSearchParams(query).toString()}`)).json<{
        items: { title: string }[]
        isComplete: boolean
      }>()
    const { items, isComplete } = await best({ search: 'ocelo' })
    const inOrder = ['Ocelot', 'Ocelot food', 'The old ocelot', 'Zoo', 'Newest', 'Birds']
    expect(items.map(({ title }) => title)).toEqual(inOrder)
    expect(isComplete).toBe(true)
    expect(await best({ search: 'ocelot', limit: '2' })).toMatchObject({
      items: [{ title: 'Ocelot' }, { title: 'Ocelot food' }],
      isComplete: false,
    })
    expect((await best({ search: 'ocelot', createdBy: 'me' })).items.map(({ title }) => title)).toEqual(['Ocelot'])
    expect(await best({ search: 'walrus' })).toEqual({ items: [], isComplete: true })
    // The list itself keeps its order.
    expect((await titles({ search: 'ocelot' }))[0]).toBe('Newest')
  })

  test('finds changed references by their new text, and deleted ones only after they are restored', async () => {
    const { shortId } = await add(shop.admin, { sql: 'select 7', title: 'Ostrich' })
    const path = `/app/api/references/${shortId}`
    await shop.admin.page('PATCH', path, { title: 'Emu', sql: 'select 8 as kiwi' })
    expect(await titles({ search: 'ostrich' })).toEqual([])
    expect(await titles({ search: 'emu kiwi' })).toEqual(['Emu'])
    await shop.admin.page('DELETE', path)
    expect(await titles({ search: 'emu' })).toEqual([])
    await shop.admin.page('POST', `${path}/restore`)
    expect(await titles({ search: 'emu' })).toEqual(['Emu'])
  })

  test('finds a reserved permalink by its title, and by its SQL once it has some', async () => {
    const { shortId } = (await shop.admin.page('POST', '/app/api/references', { title: 'Walrus' })).json()
    expect((await list({ search: 'walrus' })).json().items).toMatchObject([
      { shortId, isOptimistic: true, currentQuery: { sql: '' }, analyticalDatabaseConfigId: null, latestRun: null },
    ])
    const sql = 'select 1 as tusk'
    const edit = { sql, analyticalDatabaseConfigId: shop.databaseId }
    await shop.admin.page('PATCH', `/app/api/references/${shortId}`, edit)
    expect((await list({ search: 'tusk', database: shop.databaseId })).json().items).toMatchObject([
      { shortId, isOptimistic: false, currentQuery: { sql } },
    ])
  })

  test('pagination works whether the word is common or rare among the newest', async () => {
    const query = await storeQuery(shop, 'select 5')
    for (let i = 0; i < 3; i++) await storeReference(shop, query.id, { title: `Rare penguin ${i}` })
    await service.clock.advance(1000)
    // More than are scanned one by one.
    await service.services.db
      .insertInto('query_references')
      .values(
        Array.from({ length: 350 }, (_, i) => ({
          id: `ref_many${i}`,
          organization_id: shop.admin.caller.organizationId,
          short_id: `many${i}`,
          title: `Common pigeon ${i}`,
          description: null,
          is_optimistic: false,
          query_id: query.id,
          visualization: null,
          parameters: '[]',
          created_by: maria.caller.userId,
          created_at: service.clock.now(),
          updated_at: service.clock.now(),
          deleted_at: null,
        })),
      )
      .execute()
    for (const [search, size] of [['pigeon', 350], ['penguin', 3], ['pigeon common', 350]] as const) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const limit = search === 'penguin' ? '2' : '100'
        const page = (await list({ search, limit, ...(cursor && { cursor }) })).json()
        seen.push(...page.items.map(({ shortId }: { shortId: string }) => shortId))
        cursor = page.nextCursor
      } while (cursor)
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen).toHaveLength(size)
    }
  })

  test('a cursor is valid only for the filters it was issued for', async () => {
    const cursor = (await list({ search: 'revenue', limit: '1' })).json().nextCursor
    expect(await titles({ search: 'revenue', limit: '1', cursor })).toEqual(['Revenue by month'])
    const others = [{}, { search: 'rev' }, { search: 'revenue', createdBy: 'me' }, { search: 'revenue', database: 'db_1' }]
    for (const other of others) expectRefusal(await list({ ...other, cursor }), 'cursor_invalid', { details: expect.anything() })
  })

  test('does not find references of another organization', async () => {
    const rival = await service.addOrganization('rival')
    expect(await titles({ search: 'revenue' }, rival.admin)).toEqual([])
    expect(await titles({}, rival.admin)).toEqual([])
    expect(await titles({ database: shop.databaseId }, rival.admin)).toEqual([])
  })
})
