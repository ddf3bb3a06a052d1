import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { at, expectRefusal, storeQuery, storeReference } from '../../../testing/http/requests.ts'

/** The query strings of lists. lists.test.ts covers the content of the pages. */
let service: TestService
let shop: TestOrganization

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  for (const sql of ['select 1', 'select 2']) await storeReference(shop, (await storeQuery(shop, sql)).id)
})
afterAll(() => service.stop())

const get = (url: string) => (url.startsWith('/app') ? shop.admin.page('GET', url) : shop.admin.api('GET', url))
const page = async (url: string) => (await get(url)).json<{ items: object[]; nextCursor?: string }>()
const cursorOf = async (list: string) => (await page(`${list}?limit=1`)).nextCursor!

describe.each(['/api/queries', '/api/queries/refs', '/app/api/queries', '/app/api/references'])('%s', (list) => {
  test.each(['0', '-1', '101', '1000000000', '1e9', '1e1', '0x10', '1.5', '1.0', 'abc', '', '%2010', 'NaN', 'null', '٣'])(
    'rejects limit=%s',
    async (limit) => {
      expectRefusal(await get(`${list}?limit=${encodeURI(decodeURI(limit))}`), 'invalid_request', at('limit'))
    },
  )

  test.each(['1', '20', '100', '007'])('accepts limit=%s', async (limit) => {
    const { items } = await page(`${list}?limit=${limit}`)
    expect(items.length).toBeLessThanOrEqual(Number(limit))
  })

  test.each([
    ['limit=1&limit=2', 'limit'],
    ['limit=1&limit=1', 'limit'],
    ['cursor=a&cursor=a', 'cursor'],
    ['cursor=', 'cursor'],
    ['offset=20', 'offset'],
    ['page=2&limit=10', 'page'],
    ['Limit=10', 'Limit'],
    ['__proto__=1', '__proto__'],
  ])('rejects ?%s', async (query, place) => {
    expectRefusal(await get(`${list}?${query}`), 'invalid_request', at(place))
  })

  test.each([
    ['cut in half', (cursor: string) => cursor.slice(0, cursor.length / 2)],
    ['with another signature', (cursor: string) => (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1)],
    ['with other content', (cursor: string) => cursor.slice(0, -6) + 'AAAAAA'],
    ['with padding', (cursor: string) => `${cursor}=`],
    ['with something after it', (cursor: string) => `${cursor}A`],
    ['in plain base64', (cursor: string) => `${cursor.slice(0, 8)}%2B${cursor.slice(9)}`],
    ['made up', () => 'eyJhbGciOiJub25lIn0'],
    ['of one character', () => 'x'],
    ['of another script', () => encodeURIComponent('カーソル')],
    ['of 10,000 characters', () => 'A'.repeat(10_000)],
  ])('rejects a cursor %s', async (_, spoil) => {
    const answer = await get(`${list}?cursor=${spoil(await cursorOf(list))}`)
    expectRefusal(answer, 'cursor_invalid', at('cursor'))
  })
})
