import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openChat } from '../../../../testing/http/chat-requests.ts'
import { at, expectRefusal, startTime, storeQuery, storeReference, unknownShortId } from '../../../../testing/http/requests.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'

const root = '/app/api/knowledge'

describe.each(routeStoreKinds)('knowledge on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'member@shop.test')
    await shop.admin.page('GET', `/app/api/databases/${shop.databaseId}/tables`)
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    const { db } = service.services
    await db.deleteFrom('knowledge_versions').execute()
    await db.deleteFrom('knowledge_items').execute()
    await db.deleteFrom('knowledge_suggestions').execute()
  })

  const get = async (path: string, person = shop.admin) => (await person.page('GET', `${root}/${path}`)).json()
  const put = (path: string, body: object) => shop.admin.page('PUT', `${root}/${path}`, body)
  const post = (path: string, body?: object, person = shop.admin) => person.page('POST', `${root}/${path}`, body)
  const by = (person: TestPerson) => ({ id: person.caller.userId, name: person.email.split('@')[0] })

  describe('instructions', () => {
    test('are listed for the organization and each database, and can be changed', async () => {
      const empty = { text: '', version: 0, changed: null }
      const database = { id: shop.databaseId, name: 'Numbers' }
      expect(await get('instructions', member)).toEqual({
        items: [
          { database: null, ...empty, maxCharacters: 8000 },
          { database, ...empty, maxCharacters: 4000 },
        ],
      })
      const changed = await put('instructions', { databaseId: shop.databaseId, text: ' Digits **only**. \n', version: 0 })
      const after = { text: 'Digits **only**.', version: 1, changed: { by: by(shop.admin), at: startTime } }
      expect(changed.json()).toEqual({ database, ...after, maxCharacters: 4000 })
      expect((await get('instructions')).items[1]).toMatchObject(after)
    })

    test('are not overwritten by someone who has read an older version', async () => {
      await put('instructions', { databaseId: null, text: 'One', version: 0 })
      expectRefusal(await put('instructions', { databaseId: null, text: 'Two', version: 0 }), 'knowledge_changed')
      expect((await put('instructions', { databaseId: null, text: 'Two', version: 1 })).json()).toMatchObject({ version: 2 })
    })

    test('have a maximum length', async () => {
      const of = (databaseId: string | null, length: number) => put('instructions', { databaseId, text: 'x'.repeat(length), version: 0 })
      expectRefusal(await of(null, 8001), 'invalid_request', at('/text', 'must have at most 8,000 characters; it has 8,001'))
      expectRefusal(await of(shop.databaseId, 4001), 'invalid_request', at('/text'))
      expect((await of(null, 8000)).statusCode).toBe(200)
    })
  })

  describe('metrics', () => {
    const definition = () => ({ kind: 'sql', databaseId: shop.databaseId, sql: 'select sum(n) from numbers' })
    const create = async (given: object = {}) => {
      const answer = await post('metrics', { name: 'Sum', definition: definition(), ...given })
      expect(answer.statusCode, answer.body).toBe(201)
      return answer.json()
    }

    test('can be created, listed, changed and deleted', async () => {
      const ownerId = member.caller.userId
      const made = await create({ unit: ' € ', synonyms: ['total', 'Total', 'sum'], description: 'All digits', ownerId })
      const shown = {
        id: expect.stringMatching(/^knowledge_\w{22}$/),
        name: 'Sum',
        description: 'All digits',
        unit: '€',
        // Without duplicates and the name itself.
        synonyms: ['total'],
        definition: definition(),
        ownerId,
        version: 1,
        changedBy: by(shop.admin),
        changedAt: startTime,
      }
      expect(made).toEqual(shown)
      const average = await create({ name: 'average' })
      expect(average).toMatchObject({ description: '', unit: null, synonyms: [], ownerId: null })
      expect((await get('metrics', member)).items.map(({ name }: { name: string }) => name)).toEqual(['average', 'Sum'])
      const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
      const saved = { kind: 'reference', shortId }
      const changed = await put(`metrics/${made.id}`, { name: 'SUM', definition: saved, version: 1 })
      expect(changed.json()).toMatchObject({ name: 'SUM', definition: saved, version: 2 })
      const stale = { name: 'Late', definition: saved, version: 1 }
      expectRefusal(await put(`metrics/${made.id}`, stale), 'knowledge_changed')
      expect((await shop.admin.page('DELETE', `${root}/metrics/${made.id}`)).statusCode).toBe(204)
      expect((await get('metrics')).items).toEqual([average])
      expectRefusal(await shop.admin.page('DELETE', `${root}/metrics/${made.id}`), 'knowledge_not_found')
      expectRefusal(await put(`metrics/${made.id}`, stale), 'knowledge_not_found')
    })

    test.each<[string, object, string]>([
      ['no name', { name: ' ' }, '/name'],
      ['a long name', { name: 'x'.repeat(101) }, '/name'],
      ['a name of two lines', { name: 'a\nb' }, '/name'],
      ['a long unit', { unit: 'x'.repeat(21) }, '/unit'],
      ['a long description', { description: 'x'.repeat(1001) }, '/description'],
      ['an empty synonym', { synonyms: ['a', ' '] }, '/synonyms/1'],
      ['too many synonyms', { synonyms: Array.from({ length: 21 }, (_, n) => `s${n}`) }, '/synonyms'],
      ['an owner who is not a member', { ownerId: 'user_nobody' }, '/ownerId'],
    ])('are rejected with %s', async (_name, given, path) => {
      const { id } = await create()
      const other = { name: 'Other', definition: definition(), ...given }
      expectRefusal(await post('metrics', other), 'invalid_request', at(path))
      expectRefusal(await put(`metrics/${id}`, { ...other, version: 1 }), 'invalid_request', at(path))
      expect((await get('metrics')).items).toHaveLength(1)
    })

    test('are rejected with a definition that cannot work', async () => {
      const define = (given: object) => post('metrics', { name: 'Other', definition: given })
      expectRefusal(await define({ ...definition(), sql: ' ' }), 'invalid_request', at('/definition/sql'))
      expectRefusal(await define({ ...definition(), sql: 'x'.repeat(4001) }), 'invalid_request', at('/definition/sql'))
      expectRefusal(await define({ ...definition(), databaseId: 'db_none' }), 'database_not_found')
      expectRefusal(await define({ kind: 'reference', shortId: unknownShortId }), 'reference_not_found')
    })

    test('have unique names, ignoring case', async () => {
      const { id } = await create()
      const taken = at('/name', 'is taken; choose another')
      expectRefusal(await post('metrics', { name: 'SUM', definition: definition() }), 'invalid_request', taken)
      const other = await create({ name: 'Other' })
      expectRefusal(await put(`metrics/${other.id}`, { name: 'sum', definition: definition(), version: 1 }), 'invalid_request', taken)
      expect((await put(`metrics/${id}`, { name: 'SUM', definition: definition(), version: 1 })).statusCode).toBe(200)
    })
  })

  describe('the verified mark', () => {
    const verify = (shortId: string) => shop.admin.page('PUT', `/app/api/references/${shortId}/verification`)
    const read = async (shortId: string) => (await member.page('GET', `/app/api/references/${shortId}`)).json().verification
    const listed = async () => (await get('verified-queries', member)).items

    test('is shown with the reference and in lists, and can be removed', async () => {
      const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1')).id, { title: 'Ones' })
      expect(await read(shortId)).toBeNull()
      const verification = { verifiedBy: by(shop.admin), verifiedAt: startTime, isOutdated: false }
      expect((await verify(shortId)).json()).toEqual(verification)
      expect(await read(shortId)).toEqual(verification)
      const found = (await member.page('GET', '/app/api/references?search=ones')).json().items
      expect(found).toMatchObject([{ shortId, verification }])
      expect(await listed()).toEqual([{ shortId, title: 'Ones', description: null, databaseId: shop.databaseId, verification }])
      expect((await shop.admin.page('DELETE', `/app/api/references/${shortId}/verification`)).statusCode).toBe(204)
      expect([await read(shortId), await listed()]).toEqual([null, []])
    })

    test('becomes outdated when the SQL changes, until an admin verifies it again', async () => {
      const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
      await verify(shortId)
      const edit = async (change: object) => (await member.page('PATCH', `/app/api/references/${shortId}`, change)).json().verification
      expect(await edit({ title: 'Renamed', description: 'Described' })).toMatchObject({ isOutdated: false })
      expect(await edit({ sql: 'select 2' })).toMatchObject({ isOutdated: true })
      expect(await listed()).toMatchObject([{ title: 'Renamed', verification: { isOutdated: true } }])
      expect((await verify(shortId)).json()).toMatchObject({ isOutdated: false })
    })

    test('disappears from the list with its reference', async () => {
      const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
      await verify(shortId)
      await shop.admin.page('DELETE', `/app/api/references/${shortId}`)
      expect(await listed()).toEqual([])
      expectRefusal(await verify(shortId), 'reference_not_found')
    })

    test('is not for a reference without SQL', async () => {
      const { shortId } = (await shop.admin.page('POST', '/app/api/references', { title: 'Soon' })).json()
      expectRefusal(await verify(shortId), 'invalid_request', { message: /no SQL/ })
    })

    test('puts a query before others that match a search equally well', async () => {
      const query = await storeQuery(shop, 'select 1')
      const titles = ['Walrus one', 'Walrus two', 'Walrus three']
      const shortIds: string[] = []
      for (const title of titles) {
        await service.clock.advance(1000)
        shortIds.push((await storeReference(shop, query.id, { title })).shortId)
      }
      const best = async () =>
        (await member.page('GET', '/app/api/references/best?search=walrus')).json().items.map(({ title }: { title: string }) => title)
      expect(await best()).toEqual(['Walrus three', 'Walrus two', 'Walrus one'])
      await verify(shortIds[0]!)
      expect(await best()).toEqual(['Walrus one', 'Walrus three', 'Walrus two'])
      await member.page('PATCH', `/app/api/references/${shortIds[0]!}`, { sql: 'select 2' })
      expect(await best()).toEqual(['Walrus three', 'Walrus two', 'Walrus one'])
    })
  })

  describe('tables', () => {
    const about = (given: object) => put('tables', { databaseId: shop.databaseId, schema: 'main', table: 'numbers', version: 0, ...given })

    test('can be described, and are shown with the description everywhere', async () => {
      const column = { name: 'n', type: 'INTEGER', comment: null, description: null, dbtDescription: null }
      const table = {
        databaseId: shop.databaseId,
        databaseName: 'Numbers',
        schema: 'main',
        name: 'numbers',
        kind: 'table',
        rowEstimate: 10,
        comment: null,
        dbt: null,
        description: null,
        columns: [column],
        columnCount: 1,
        version: 0,
      }
      expect(await get('tables', member)).toEqual({ items: [table], isComplete: true })
      const described = { ...table, description: 'Ten digits', columns: [{ ...column, description: 'The digit' }], version: 1 }
      expect((await about({ description: ' Ten digits ', columns: { n: 'The digit' } })).json()).toEqual(described)
      expect(await get('tables?search=digits')).toEqual({ items: [described], isComplete: true })
      expect(await get(`tables?search=digits&database=db_other`)).toEqual({ items: [], isComplete: true })
      const schema = await member.page('GET', `/app/api/databases/${shop.databaseId}/tables`)
      expect(schema.json().items).toMatchObject([{ comment: 'Ten digits', columns: [{ comment: 'The digit' }] }])
      expectRefusal(await about({ description: 'Late', columns: {} }), 'knowledge_changed')
      expect((await about({ description: '', columns: { n: ' ' }, version: 1 })).json()).toEqual({ ...table, version: 2 })
      expect((await get('tables?search=digits')).items).toEqual([])
    })

    test('are rejected if they or a column do not exist, or a text is too long', async () => {
      expectRefusal(await about({ table: 'letters', description: 'x', columns: {} }), 'table_not_found')
      expectRefusal(await about({ description: null, columns: { m: 'x' } }), 'invalid_request', at('/columns/m'))
      expectRefusal(await about({ description: 'x'.repeat(1001), columns: {} }), 'invalid_request', at('/description'))
      expectRefusal(await about({ description: null, columns: { n: 'x'.repeat(1001) } }), 'invalid_request', at('/columns/n'))
    })
  })

  describe('suggestions', () => {
    const toAll = { kind: 'instructions', databaseId: null }
    const suggest = async (given: object = {}, person = member) => {
      const answer = await post('suggestions', { text: 'Amounts are in euros.', target: toAll, ...given }, person)
      expect(answer.statusCode, answer.body).toBe(201)
      return answer.json()
    }
    const accept = (id: string, body: object) => post(`suggestions/${id}/accept`, { text: 'Edited', target: toAll, ...body })

    test('wait for an admin, who may edit them before they become a line of the instructions', async () => {
      const { shortId } = await openChat(service, shop)
      const made = await suggest({ chat: { shortId, messageNumber: 3 } })
      const shown = {
        id: expect.stringMatching(/^suggestion_\w{22}$/),
        text: 'Amounts are in euros.',
        target: toAll,
        chat: { shortId, messageNumber: 3 },
        state: 'open',
        suggestedBy: by(member),
        suggestedAt: service.clock.now().toISOString(),
        decidedBy: null,
        decidedAt: null,
      }
      expect(made).toEqual(shown)
      expect((await get('suggestions')).items).toEqual([shown])
      expect((await get('instructions')).items[0].text).toBe('')
      const accepted = await accept(made.id, { text: 'All amounts are in euros.' })
      const decided = { state: 'accepted', decidedBy: by(shop.admin), decidedAt: service.clock.now().toISOString() }
      expect(accepted.json()).toEqual({ ...shown, ...decided })
      await accept((await suggest()).id, { text: 'Weeks start on Monday.' })
      expect((await get('instructions')).items[0].text).toBe('- All amounts are in euros.\n- Weeks start on Monday.')
      expect([(await get('suggestions')).items, (await get('suggestions?state=accepted')).items.length]).toEqual([[], 2])
    })

    test('can become part of a description', async () => {
      const target = { kind: 'table', databaseId: shop.databaseId, schema: 'main', table: 'numbers', column: 'n' }
      await accept((await suggest({ target })).id, { text: 'The digit.', target })
      await accept((await suggest({ target })).id, { text: 'From 0.', target })
      await accept((await suggest()).id, { text: 'Ten rows.', target: { ...target, column: null } })
      expect((await get('tables')).items).toMatchObject([
        { description: 'Ten rows.', columns: [{ description: 'The digit. From 0.' }] },
      ])
    })

    test('are decided once', async () => {
      const { id } = await suggest()
      expect((await post(`suggestions/${id}/decline`)).json()).toMatchObject({ state: 'declined' })
      expectRefusal(await accept(id, {}), 'knowledge_changed', { isVersioned: false })
      expectRefusal(await post(`suggestions/${id}/decline`), 'knowledge_changed', { isVersioned: false })
      expect((await get('instructions')).items[0].text).toBe('')
      expectRefusal(await accept('suggestion_none', {}), 'knowledge_not_found')
    })

    test('are shown to their author and to admins', async () => {
      const other = await shop.addPerson('member', `other-${kind}@shop.test`)
      const { id } = await suggest()
      await suggest({ text: 'Mine' }, other)
      expect((await get('suggestions', member)).items).toEqual([expect.objectContaining({ id })])
      expect((await get('suggestions')).items).toHaveLength(2)
    })

    test('are rejected if empty, too long, or about something that does not exist', async () => {
      const refuse = async (given: object, ...expected: Parameters<typeof expectRefusal> extends [unknown, ...infer Rest] ? Rest : never) =>
        expectRefusal(await post('suggestions', { text: 'x', target: toAll, ...given }, member), ...expected)
      await refuse({ text: ' ' }, 'invalid_request', at('/text'))
      await refuse({ text: 'x'.repeat(1001) }, 'invalid_request', at('/text'))
      await refuse({ target: { kind: 'instructions', databaseId: 'db_none' } }, 'database_not_found')
      const table = { kind: 'table', databaseId: shop.databaseId, schema: 'main', table: 'numbers', column: 'm' }
      await refuse({ target: table }, 'invalid_request', at('/target/column'))
      await refuse({ target: { ...table, table: 'letters' } }, 'table_not_found')
      await refuse({ chat: { shortId: unknownShortId, messageNumber: 1 } }, 'chat_not_found')
    })

    test('are limited in number for each person', async () => {
      for (let count = 0; count < 50; count++) await suggest()
      expectRefusal(await post('suggestions', { text: 'x', target: toAll }, member), 'invalid_request', { message: /50 open suggestions/ })
      expect(await suggest({}, shop.admin)).toMatchObject({ state: 'open' })
    })
  })

  describe('the history', () => {
    test('shows who changed what, newest first, in pages', async () => {
      await put('instructions', { databaseId: null, text: 'One', version: 0 })
      await service.clock.advance(1000)
      await put('instructions', { databaseId: null, text: 'Two', version: 1 })
      await service.clock.advance(1000)
      const definition = { kind: 'sql', databaseId: shop.databaseId, sql: 'select 1' }
      const metric = (await post('metrics', { name: 'Sum', definition })).json()
      await service.clock.advance(1000)
      await shop.admin.page('DELETE', `${root}/metrics/${metric.id}`)
      const first = await get('history?limit=3', member)
      expect(first.items).toMatchObject([
        { name: 'Metric Sum', kind: 'metric', number: 2, before: 'Sum\nselect 1', after: null, isCurrent: true },
        { name: 'Metric Sum', number: 1, before: null, after: 'Sum\nselect 1', isCurrent: false },
        { name: 'Instructions', number: 2, before: 'One', after: 'Two', changedBy: by(shop.admin), isCurrent: true },
      ])
      const second = await get(`history?limit=3&cursor=${first.nextCursor}`)
      expect(second).toEqual({ items: [expect.objectContaining({ number: 1, after: 'One' })] })
    })

    test('can bring an earlier version back', async () => {
      const { id: metricId } = (
        await post('metrics', { name: 'Sum', definition: { kind: 'sql', databaseId: shop.databaseId, sql: 'select 1' } })
      ).json()
      await shop.admin.page('DELETE', `${root}/metrics/${metricId}`)
      await service.clock.advance(1000)
      expect((await post(`items/${metricId}/restore`, { number: 1 })).statusCode).toBe(204)
      expect((await get('metrics')).items).toMatchObject([{ id: metricId, name: 'Sum', version: 3 }])
      expect((await get('history')).items[0]).toMatchObject({ number: 3, restoredNumber: 1 })
    })

    test('refuses to restore what is no longer valid', async () => {
      const definition = { kind: 'sql', databaseId: shop.databaseId, sql: 'select 1' }
      const { id: metricId } = (await post('metrics', { name: 'Sum', definition })).json()
      await shop.admin.page('DELETE', `${root}/metrics/${metricId}`)
      expectRefusal(await post(`items/${metricId}/restore`, { number: 2 }), 'invalid_request', { message: /deletion/ })
      expectRefusal(await post(`items/${metricId}/restore`, { number: 9 }), 'knowledge_not_found')
      expectRefusal(await post('items/knowledge_none/restore', { number: 1 }), 'knowledge_not_found')
      await post('metrics', { name: 'sum', definition })
      expectRefusal(await post(`items/${metricId}/restore`, { number: 1 }), 'invalid_request', at('/name'))

      const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
      await service.clock.advance(1000)
      await shop.admin.page('PUT', `/app/api/references/${shortId}/verification`)
      const { itemId } = (await get('history')).items[0]
      await shop.admin.page('DELETE', `/app/api/references/${shortId}/verification`)
      await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { sql: 'select 2' })
      expectRefusal(await post(`items/${itemId}/restore`, { number: 1 }), 'invalid_request', { message: /has changed since/ })
    })
  })
})
