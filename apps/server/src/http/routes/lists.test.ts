import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { storeKinds } from '../../../testing/store/test-store.ts'
import { at, expectRefusal, storeQuery, storeReference } from '../../../testing/http/requests.ts'

const hourMs = 3600_000
const itemCount = 25

interface Page {
  items: { id: string }[]
  nextCursor?: string
}

describe.each(storeKinds)('lists on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    bank = await service.addOrganization('bank')
    for (const organization of [shop, bank]) {
      for (let count = 0; count < itemCount; count++) {
        const query = await storeQuery(organization, `select ${count}`)
        await storeReference(organization, query.id)
        await service.clock.advance(1)
      }
    }
  })
  afterAll(() => service.stop())

  const lists = ['/api/queries', '/api/queries/refs', '/app/api/queries', '/app/api/references']
  const get = (url: string, organization = shop) =>
    url.startsWith('/app') ? organization.admin.page('GET', url) : organization.admin.api('GET', url)
  const page = async (url: string) => (await get(url)).json<Page>()
  const cursorOf = async (list: string) => (await page(`${list}?limit=10`)).nextCursor!

  describe.each(lists)('%s', (list) => {
    test('has 20 items per page by default, newest first, and no nextCursor on the last page', async () => {
      const first = await page(list)
      expect(first).toEqual({ items: expect.any(Array), nextCursor: expect.stringMatching(/^[\w-]+$/) })
      expect(first.items).toHaveLength(20)
      const last = await page(`${list}?cursor=${first.nextCursor}`)
      expect(Object.keys(last)).toEqual(['items'])
      expect(last.items).toHaveLength(5)
      const whole = await page(`${list}?limit=100`)
      expect(Object.keys(whole)).toEqual(['items'])
      expect(whole.items).toEqual([...first.items, ...last.items])
    })

    test('a full last page has no nextCursor', async () => {
      expect(Object.keys(await page(`${list}?limit=${itemCount}`))).toEqual(['items'])
      const next = await page(`${list}?limit=5&cursor=${(await page(list)).nextCursor}`)
      expect([next.items.length, next.nextCursor]).toEqual([5, undefined])
    })

    test('rejects a cursor issued for another list or organization', async () => {
      const other = list.includes('ref') ? '/api/queries' : '/api/queries/refs'
      expectRefusal(await get(`${list}?cursor=${await cursorOf(other)}`), 'cursor_invalid', at('cursor'))
      const answer = await get(`${list}?cursor=${await cursorOf(list)}`, bank)
      expectRefusal(answer, 'cursor_invalid', at('cursor'))
    })
  })

  test('all pages show the list as of the first page', async () => {
    const before = await Promise.all(lists.map((list) => page(`${list}?limit=100`)))
    const first = await Promise.all(lists.map((list) => page(`${list}?limit=10`)))
    const [newest, , , , , , , , , , , oldOne] = before[1]!.items as unknown as { shortId: string; currentQuery: { id: string } }[]
    await storeReference(shop, (await storeQuery(shop, 'select 99')).id)
    await shop.admin.api('DELETE', `/api/queries/refs/${oldOne!.shortId}`)
    await shop.admin.api('PUT', `/api/queries/refs/${newest!.shortId}`, { title: 'Changed later' })
    await shop.admin.api('POST', `/api/queries/${oldOne!.currentQuery.id}/refresh`)
    const rest = await Promise.all(
      lists.map((list, index) => page(`${list}?limit=100&cursor=${first[index]!.nextCursor}`)),
    )
    const seen = lists.map((_, index) => first[index]!.items.concat(rest[index]!.items))
    expect(seen).toEqual(before.map(({ items }) => items))
  })

  test('a cursor is valid for 24 hours after it was issued, a sequence for 7 days', async () => {
    const next = async (cursor: string) => get(`/api/queries?limit=1&cursor=${cursor}`)
    const untouched = await cursorOf('/api/queries')
    let cursor = (await page('/api/queries?limit=1')).nextCursor!
    await service.clock.advance(24 * hourMs - 1)
    const inTime = await next(cursor)
    expect(inTime.statusCode).toBe(200)
    cursor = inTime.json<Page>().nextCursor!
    await service.clock.advance(1)
    expectRefusal(await next(untouched), 'cursor_expired', { message: /24 hours.*without a cursor/ })

    for (let day = 2; day < 7; day++) {
      await service.clock.advance(24 * hourMs - 2)
      cursor = (await next(cursor)).json<Page>().nextCursor!
    }
    await service.clock.advance(24 * hourMs - 100)
    cursor = (await next(cursor)).json<Page>().nextCursor!
    await service.clock.advance(200)
    expectRefusal(await next(cursor), 'cursor_expired', { message: /7 days.*without a cursor/ })
  })
})
