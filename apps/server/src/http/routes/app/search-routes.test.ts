import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAutomation } from '../../../../testing/http/automation-requests.ts'
import { expectRefusal, storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import { storeKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'

describe.each(storeKinds)('searching everything on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    bank = await service.addOrganization('bank')
    const { id } = await storeQuery(shop, 'select revenue from numbers')
    const { shortId } = await storeReference(shop, id, { title: 'Numbers of the week' })
    await storeReference(shop, id, { title: 'Revenue' })
    await storeReference(shop, id, { title: 'Weekly revenue' })
    await shop.admin.page('POST', '/app/api/boards', { title: 'Revenue overview', description: 'For the management' })
    await shop.admin.page('POST', '/app/api/boards', { title: 'Crème brûlée', description: 'All about revenue' })
    const automation = await createAutomation(shop, { name: 'Revenue report', references: [shortId] })
    // Its run has a chat.
    await shop.admin.page('POST', `/app/api/automations/${automation.id}/runs`)
    await shop.admin.page('GET', `/app/api/databases/${shop.databaseId}/tables`)
  })
  afterAll(() => service.stop())

  const search = async (q: string, organization = shop) => {
    const answer = await organization.admin.page('GET', `/app/api/search?${new URLSearchParams({ q }).toString()}`)
    return answer.json<{ items: { kind: string; title: string }[] }>().items.map((item) => `${item.kind}: ${item.title}`)
  }

  test('shows an exact title first, then beginnings, words, descriptions and SQL', async () => {
    expect(await search('revenue')).toEqual([
      'query: Revenue',
      'board: Revenue overview',
      'automation: Revenue report',
      expect.stringMatching(/^chat: Revenue report/),
      'query: Weekly revenue',
      'board: Crème brûlée',
      'query: Numbers of the week',
    ])
  })

  test('finds tables and columns', async () => {
    const found = await search('numbers')
    expect(found).toContain('table: numbers')
    expect(found[0]).toBe('table: numbers')
    expect(await search('n')).not.toContain('table: numbers')
    const { items } = (await shop.admin.page('GET', '/app/api/search?q=numbers')).json()
    expect(items[0]).toMatchObject({ id: shop.databaseId, table: 'main.numbers', isVerified: false })
  })

  test.each([
    ['REVENUE over', ['board: Revenue overview']],
    ['creme', ['board: Crème brûlée']],
    ['management', ['board: Revenue overview']],
    ['evenue', []],
    ['%', []],
    ["'; drop table users; --", []],
  ])('finds %s', async (text, expected) => {
    expect(await search(text)).toEqual(expected)
  })

  test('marks verified queries, and finds at most as many as asked for', async () => {
    const { items } = (await shop.admin.page('GET', '/app/api/search?q=revenue&limit=1')).json()
    expect(items).toEqual([expect.objectContaining({ title: 'Revenue', isVerified: false })])
    await shop.admin.page('PUT', `/app/api/references/${items[0].id}/verification`)
    expect((await shop.admin.page('GET', '/app/api/search?q=revenue&limit=1')).json().items[0].isVerified).toBe(true)
  })

  test('finds nothing of another organization, and nothing that was deleted', async () => {
    expect(await search('revenue', bank)).toEqual([])
    const { items } = (await shop.admin.page('GET', '/app/api/search?q=Weekly%20revenue&limit=1')).json()
    await shop.admin.page('DELETE', `/app/api/references/${items[0].id}`)
    expect(await search('weekly revenue')).toEqual([])
  })

  test.each([
    ['no text', '', 'q'],
    ['an empty text', '?q=', 'q'],
    ['a long text', `?q=${'a'.repeat(201)}`, 'q'],
    ['a limit of zero', '?q=a&limit=0', 'limit'],
    ['an unknown field', '?q=a&other=1', 'other'],
  ])('refuses %s', async (_, query, path) => {
    const details = [{ path, message: expect.any(String) }]
    expectRefusal(await shop.admin.page('GET', `/app/api/search${query}`), 'invalid_request', { details })
  })
})
