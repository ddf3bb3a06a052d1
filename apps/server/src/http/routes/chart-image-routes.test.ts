import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { endOf, expectRefusal, storeQuery, storeReference } from '../../../testing/http/requests.ts'

const margin = { top: 0, right: 0, bottom: 0, left: 0 }
const charts = {
  line: '<LineChart><XAxis dataKey="month" /><Line dataKey="n" /></LineChart>',
  bar: '<BarChart layout="vertical"><XAxis type="number" /><YAxis type="category" dataKey="label" /><Bar dataKey="n" stackId="a" /><Bar dataKey="m" stackId="a" /></BarChart>',
  area: '<AreaChart><XAxis dataKey="month" type="number" /><Area dataKey="n" type="monotone" /></AreaChart>',
  scatter: '<ScatterChart><XAxis dataKey="n" /><YAxis dataKey="m" /><Scatter /></ScatterChart>',
  pie: '<PieChart><Pie dataKey="n" nameKey="label" /></PieChart>',
  number: '',
  table: '',
}
const sql = `select date '2026-01-01' + to_months(n) as month, '<b>&' || n as label, n, (n * n)::decimal(10, 2) as m
  from numbers order by n`

let service: TestService
let shop: TestOrganization
let queryId: string

beforeAll(async () => {
  service = await startTestService('postgres')
  shop = await service.addOrganization('shop')
  queryId = (await storeQuery(shop, sql)).id
  await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${queryId}/runs`))
})
afterAll(() => service.stop())

const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) })

async function imageOf(content: Record<string, unknown>, ofQuery = queryId) {
  const { shortId } = await storeReference(shop, ofQuery, content)
  return { shortId, answer: await shop.admin.page('GET', `/q/${shortId}/chart.png`) }
}

describe('the chart image of a reference', () => {
  test.each(Object.entries(charts))('shows a chart of type %s', async (type, jsxConfig) => {
    const { answer } = await imageOf({ title: type, visualization: { type, jsxConfig, marginConfig: margin } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'private, no-cache', vary: 'cookie' })
    expect(answer.rawPayload.subarray(1, 4).toString()).toBe('PNG')
    expect(sizeOf(answer.rawPayload)).toEqual({ width: 1200, height: 630 })
  })

  test('shows a message if there is no result, or one that does not fit the chart', async () => {
    const without = await imageOf({ title: 'Never run' }, (await storeQuery(shop, 'select 1')).id)
    const missing = await imageOf({ visualization: { type: 'line', jsxConfig: '<LineChart><Line dataKey="gone" /></LineChart>' } })
    const reserved = (await shop.admin.page('POST', '/app/api/references', {})).json()
    const optimistic = await shop.admin.page('GET', `/q/${reserved.shortId}/chart.png`)
    for (const answer of [without.answer, missing.answer, optimistic]) {
      expect(answer.statusCode).toBe(200)
      expect(sizeOf(answer.rawPayload)).toEqual({ width: 1200, height: 630 })
    }
  })

  test('shows a message if a row is too large', async () => {
    const { id } = await storeQuery(shop, `select repeat('x', 17 * 1024 * 1024) as x`)
    await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${id}/runs`))
    expect((await imageOf({ title: 'Large' }, id)).answer.statusCode).toBe(200)
  })

  test('gives 304 while it is unchanged, and a new image after a change', async () => {
    const { shortId, answer } = await imageOf({ title: 'First' })
    const url = `/q/${shortId}/chart.png`
    const asks = () =>
      service.app.inject({ url, cookies: shop.admin.session, headers: { 'if-none-match': String(answer.headers.etag) } })
    expect(await asks()).toMatchObject({ statusCode: 304, body: '' })
    await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { title: 'Second' })
    const renamed = await asks()
    expect(renamed.statusCode).toBe(200)
    expect(renamed.headers.etag).not.toBe(answer.headers.etag)
    await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${queryId}/runs`))
    const refreshed = await shop.admin.page('GET', url)
    expect(refreshed.headers.etag).not.toBe(renamed.headers.etag)
    expect(refreshed.rawPayload.equals((await shop.admin.page('GET', url)).rawPayload)).toBe(true)
  })

  test('is deleted with the reference', async () => {
    const { shortId } = await imageOf({ title: 'Short-lived' })
    await shop.admin.page('DELETE', `/app/api/references/${shortId}`)
    expectRefusal(await shop.admin.page('GET', `/q/${shortId}/chart.png`), 'reference_not_found')
    expectRefusal(await shop.admin.page('GET', '/q/nonsense/chart.png'), 'reference_not_found')
  })

  test('shows that the result has expired', async () => {
    const { shortId, answer } = await imageOf({ title: 'Old' })
    service.clock.leap(25 * 3600_000)
    const later = await shop.admin.page('GET', `/q/${shortId}/chart.png`)
    expect(later.statusCode).toBe(200)
    expect(later.headers.etag).not.toBe(answer.headers.etag)
  })
})
