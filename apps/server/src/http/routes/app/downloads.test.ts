import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { endOf, expectRefusal, storeQuery, storeReference } from '../../../../testing/http/requests.ts'

describe('downloads of a result', () => {
  let service: TestService
  let shop: TestOrganization
  let runId: string
  let queryId: string

  beforeAll(async () => {
    service = await startTestService('postgres')
    shop = await service.addOrganization('shop')
    queryId = (await storeQuery(shop, `select n, 'a,' || n as text from numbers where n < 2 order by n`)).id
    runId = (await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${queryId}/runs`))).id
  })
  afterAll(() => service.stop())

  const download = (query: string, headers: Record<string, string> = {}) =>
    service.app.inject({ method: 'GET', url: `/app/api/runs/${runId}/result${query}`, cookies: shop.admin.session, headers })

  test('CSV, compressed for clients that accept gzip', async () => {
    const plain = await download('?format=csv')
    expect(plain.statusCode).toBe(200)
    expect(plain.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="numbers.csv"; filename*=UTF-8''numbers.csv`,
      'cache-control': 'private, no-store',
      vary: 'accept-encoding',
    })
    expect(plain.body).toBe('n,text\r\n0,"a,0"\r\n1,"a,1"\r\n')
    const packed = await download('?format=csv', { 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
  })

  test('JSON, for display or as a file', async () => {
    const page = await download('')
    expect(page.headers['content-disposition']).toBeUndefined()
    expect((await download('?format=json')).headers['content-disposition']).toBeUndefined()
    const file = await download('?format=json&download=1')
    expect(file.headers['content-disposition']).toContain(`filename="numbers.json"`)
    expect(file.body).toBe(page.body)
  })

  test('CSV escapes formulas, unless raw is requested', async () => {
    const { id } = await storeQuery(shop, `select '=1+1' as "@text", -1 as n`)
    const run = await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${id}/runs`))
    const body = async (more: string) => (await shop.admin.page('GET', `/app/api/runs/${run.id}/result?format=csv${more}`)).body
    expect(await body('')).toBe(`'@text,n\r\n'=1+1,-1\r\n`)
    expect(await body('&raw=1')).toBe('@text,n\r\n=1+1,-1\r\n')
  })

  test('JSON lines', async () => {
    const plain = await download('?format=jsonl')
    expect(plain.headers).toMatchObject({
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': expect.stringContaining(`filename="numbers.jsonl"`),
      'cache-control': 'private, no-store',
      vary: 'accept-encoding',
    })
    expect(plain.body).toBe('{"n":0,"text":"a,0"}\n{"n":1,"text":"a,1"}\n')
    const packed = await download('?format=jsonl', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
  })

  test('Arrow', async () => {
    const plain = await download('?format=arrow')
    expect(plain.headers).toMatchObject({
      'content-type': 'application/vnd.apache.arrow.stream',
      'content-disposition': expect.stringContaining(`filename="numbers.arrows"`),
      vary: 'accept-encoding',
    })
    const table = tableFromIPC(plain.rawPayload)
    expect([...table.getChild('n')!]).toEqual([0n, 1n])
    expect([...table.getChild('text')!]).toEqual(['a,0', 'a,1'])
    const packed = await download('?format=arrow', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(packed.rawPayload)).toEqual(plain.rawPayload)
  })

  test('Parquet, without leaving files behind', async () => {
    const answer = await download('?format=parquet')
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(answer.rawPayload.length),
      'content-disposition': expect.stringContaining(`filename="numbers.parquet"`),
    })
    const [head, tail] = [answer.rawPayload.subarray(0, 4), answer.rawPayload.subarray(-4)]
    expect([head.toString(), tail.toString()]).toEqual(['PAR1', 'PAR1'])
    const left = await readdir(path.join(service.services.dataDirectory, 'temporary'))
    expect(left.filter((name) => name.startsWith('parquet-'))).toEqual([])
  })

  test.each([
    ['Umsatz: "Größe" / 2026', 'Umsatz Grosse 2026.csv', 'Umsatz%20Gr%C3%B6%C3%9Fe%202026.csv'],
    ['../../etc/passwd', 'etc passwd.csv', 'etc%20passwd.csv'],
    ['売上 (2026)', '__ (2026).csv', '%E5%A3%B2%E4%B8%8A%20%282026%29.csv'],
    ['a\r\nSet-Cookie: x=1', 'a Set-Cookie x_1.csv', 'a%20Set-Cookie%20x%3D1.csv'],
    [`it's 100%`, 'it_s 100_.csv', 'it%27s%20100%25.csv'],
  ])('the file is named after the reference’s title: %j', async (title, plain, exact) => {
    const { shortId } = await storeReference(shop, queryId, { title })
    const { headers } = await download('?format=csv')
    expect(headers['content-disposition']).toBe(`attachment; filename="${plain.replace('Grosse', 'Gro_e')}"; filename*=UTF-8''${exact}`)
    await shop.admin.page('DELETE', `/app/api/references/${shortId}`)
  })

  test('rejects an unknown format', async () => {
    const refused = (query: string, place: string) => async () =>
      expectRefusal(await download(query), 'invalid_request', { details: [{ path: place, message: expect.any(String) }] })
    await refused('?format=xls', 'format')()
    await refused('?download=yes', 'download')()
    await refused('?format=csv&raw=yes', 'raw')()
    await refused('?format=jsonl&raw=1', 'raw')()
    await refused('?raw=1', 'raw')()
    await refused('?as=csv', 'as')()
  })

  test('a failed run has no download', async () => {
    const { id } = await storeQuery(shop, 'select nothing')
    const run = await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${id}/runs`))
    expectRefusal(await shop.admin.page('GET', `/app/api/runs/${run.id}/result?format=csv`), 'result_not_available', { message: /failed/ })
  })

  test.each(['csv', 'json', 'jsonl', 'xlsx', 'parquet', 'arrow'])('an expired result is rejected as %s, and not sent as a file', async (format) => {
    const { id } = await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${queryId}/runs`))
    const url = `/app/api/runs/${id}/result?format=${format}&download=1`
    await service.services.results.remove(id)
    const gone = await shop.admin.page('GET', url)
    expectRefusal(gone, 'result_expired', { message: /Refresh/ })
    expect(gone.headers['content-disposition']).toBeUndefined()
  })
})
