import { createHash } from 'node:crypto'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'
import { endOf, expectRefusal, startTime, storeQuery } from '../../../testing/http/requests.ts'

const hourMs = 3600_000
const sql = 'select n from numbers where n < 3 order by n'
const expected = { fields: [{ name: 'n', type: 'integer' }], rows: [[0], [1], [2]], rowCount: 3 }

let service: TestService
let shop: TestOrganization

async function start(kind: (typeof routeStoreKinds)[number]) {
  service = await startTestService(kind)
  shop = await service.addOrganization('shop')
}
const refresh = (queryId: string) => endOf(service, shop, shop.admin.api('POST', `/api/queries/${queryId}/refresh`))
async function ran(text: string): Promise<string> {
  const { id } = await storeQuery(shop, text)
  expect(await refresh(id)).toMatchObject({ status: 'completed' })
  return id
}
const result = (queryId: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', query = '') =>
  service.app.inject({
    method,
    url: `/api/queries/${queryId}/result${query}`,
    headers: { authorization: `Bearer ${shop.admin.apiKey}`, ...headers },
  })

describe.each(routeStoreKinds)('the cached result on %s', (kind) => {
  beforeAll(() => start(kind))
  afterAll(() => service.stop())

  test('is not available before the first success', async () => {
    const { id } = await storeQuery(shop, sql)
    expectRefusal(await result(id), 'result_not_available', { message: /Refresh/ })
  })

  test('a failed latest run keeps the previous result', async () => {
    const { id } = await storeQuery(shop, `select case when {{fails}} then error('on purpose') else 'well' end as answer`)
    const parameters = [{ name: 'fails', displayName: '', type: 'boolean', defaultValue: 'false', description: '' }]
    await shop.admin.page('POST', '/app/api/references', { queryId: id, parameters })
    expect(await refresh(id)).toMatchObject({ status: 'completed' })
    const before = await result(id)
    expect(before.json().rows).toEqual([['well']])
    const failing = shop.admin.page('POST', `/app/api/queries/${id}/runs`, { parameterValues: { fails: true } })
    expect(await endOf(service, shop, failing)).toMatchObject({ status: 'failed' })
    const after = await result(id)
    expect([after.statusCode, after.body, after.headers['etag']]).toEqual([200, before.body, before.headers['etag']])
  })

  test('is available for 24 hours after its run ends', async () => {
    const id = await ran(sql)
    service.clock.leap(24 * hourMs - 1)
    expect((await result(id)).json()).toEqual(expected)
    service.clock.leap(1)
    expectRefusal(await result(id), 'result_expired', { message: /Refresh/ })
    const known = await result(id, { 'if-none-match': '*' })
    expectRefusal(known, 'result_expired')
    await refresh(id)
    expect((await result(id)).json()).toEqual(expected)
  })

  test('the result of an earlier run can be read by that run', async () => {
    const { id } = await storeQuery(shop, sql)
    const first = await refresh(id)
    service.clock.leap(hourMs)
    await refresh(id)
    expect((await shop.admin.page('GET', `/app/api/runs/${first.id}/result`)).json()).toEqual(expected)
    service.clock.leap(23 * hourMs)
    expectRefusal(await shop.admin.page('GET', `/app/api/runs/${first.id}/result`), 'result_expired')
    expect((await result(id)).statusCode).toBe(200)
  })
})

describe('the result as HTTP', () => {
  let id: string
  beforeAll(async () => {
    await start('postgres')
    id = await ran(sql)
  })
  afterAll(() => service.stop())

  const gzip = { 'accept-encoding': 'gzip' }

  test('identity: plain JSON with a strong ETag', async () => {
    const answer = await result(id)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual(expected)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
      vary: 'accept-encoding',
      'cache-control': 'private, no-cache',
      'last-modified': new Date(startTime).toUTCString(),
    })
    expect(answer.headers['content-encoding']).toBeUndefined()
  })

  test('gzip: the same JSON, compressed, with another strong ETag', async () => {
    const answer = await result(id, gzip)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
      'content-length': String(answer.rawPayload.length),
      etag: expect.stringMatching(/^"[\w-]{43}-gzip"$/),
      vary: 'accept-encoding',
    })
    expect(JSON.parse(gunzipSync(answer.rawPayload).toString())).toEqual(expected)
    expect(answer.headers['etag']).not.toBe((await result(id)).headers['etag'])
  })

  test.each([
    ['gzip, deflate, br', true],
    ['GZIP', true],
    ['x-gzip', true],
    ['*', true],
    ['br;q=1, gzip;q=0.1', true],
    ['br, *;q=0.5', true],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['*;q=0', false],
    ['identity', false],
    ['br', false],
    ['', false],
    [';;,,=', false],
  ])('Accept-Encoding: %s', async (accepted, isCompressed) => {
    const answer = await result(id, { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined)
    const body = isCompressed ? gunzipSync(answer.rawPayload).toString() : answer.body
    expect(JSON.parse(body)).toEqual(expected)
  })

  test('format=json is the default', async () => {
    const [plain, asked] = await Promise.all([result(id), result(id, {}, 'GET', '?format=json')])
    expect(asked.body).toBe(plain.body)
    expect(asked.headers['etag']).toBe(plain.headers['etag'])
    expect(asked.headers['content-disposition']).toBeUndefined()
  })

  test.each([
    ['csv', 'text/csv; charset=utf-8; header=present', 'n\r\n0\r\n1\r\n2\r\n'],
    ['jsonl', 'application/jsonl; charset=utf-8', '{"n":0}\n{"n":1}\n{"n":2}\n'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK'],
    ['arrow', 'application/vnd.apache.arrow.stream', ''],
    ['parquet', 'application/vnd.apache.parquet', 'PAR1'],
  ])('format=%s', async (format, type, body) => {
    const answer = await result(id, {}, 'GET', `?format=${format}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'content-type': type, 'cache-control': 'private, no-store' })
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename=/)
    expect(answer.body.slice(0, body.length)).toBe(body)
    expect(answer.rawPayload.length).toBeGreaterThan(10)
  })

  test('CSV for spreadsheets, and raw', async () => {
    const formula = await ran(`select '=1+1' as f`)
    expect((await result(formula, {}, 'GET', '?format=csv')).body).toBe("f\r\n'=1+1\r\n")
    expect((await result(formula, {}, 'GET', '?format=csv&raw=1')).body).toBe('f\r\n=1+1\r\n')
    const packed = await result(formula, gzip, 'GET', '?format=csv&raw=1')
    expect(gunzipSync(packed.rawPayload).toString()).toBe('f\r\n=1+1\r\n')
  })

  test.each([
    ['?format=xls', 'format'],
    ['?format=', 'format'],
    ['?format=csv&raw=yes', 'raw'],
    ['?format=jsonl&raw=1', 'raw'],
    ['?raw=1', 'raw'],
    ['?fromat=csv', 'fromat'],
  ])('rejects %s', async (query, path) => {
    const details = [expect.objectContaining({ path }) as object]
    expectRefusal(await result(id, {}, 'GET', query), 'invalid_request', { details })
  })

  test('If-None-Match uses weak comparison across both encodings', async () => {
    const plain = (await result(id)).headers['etag'] as string
    const packed = (await result(id, gzip)).headers['etag'] as string
    for (const known of [plain, packed, `W/${plain}`, `"other", ${plain}`, `"other" ,W/${packed}`, '*']) {
      for (const encoding of [{}, gzip]) {
        const answer = await result(id, { 'if-none-match': known, ...encoding })
        expect([answer.statusCode, answer.body]).toEqual([304, ''])
        expect(answer.headers['etag']).toBe('accept-encoding' in encoding ? packed : plain)
        expect(answer.headers['vary']).toBe('accept-encoding')
        expect(answer.headers['content-encoding']).toBeUndefined()
        expect(answer.headers['x-request-id']).toMatch(/^req_/)
      }
    }
    for (const unknown of ['"other"', plain.slice(1, -1), `${plain.slice(0, -1)}x"`, '""', '']) {
      expect((await result(id, { 'if-none-match': unknown })).statusCode).toBe(200)
    }
  })

  test('a refresh that changed nothing keeps the ETag; one that changed the result does not', async () => {
    const unchanged = await ran(sql)
    const before = (await result(unchanged)).headers['etag']
    await refresh(unchanged)
    expect((await result(unchanged)).headers['etag']).toBe(before)
    expect((await result(await ran('select 4 as n'))).headers['etag']).not.toBe(before)
  })

  test.each([{}, gzip])('HEAD responds like GET, without the body (%o)', async (encoding) => {
    const get = await result(id, encoding)
    const head = await result(id, encoding, 'HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['etag', 'vary', 'content-type', 'content-encoding', 'last-modified']) {
      expect(head.headers[name], name).toBe(get.headers[name])
    }
    expect((await result(id, { 'if-none-match': '*' }, 'HEAD')).statusCode).toBe(304)
  })

  test('big integers and decimals are exact, timestamps are ISO 8601 UTC', async () => {
    const answer = await result(
      await ran(`select
        9007199254740991 as safe, 9007199254740993 as big, -9223372036854775808 as least,
        12345678901234567890.123456789::decimal(38, 9) as price, 0.1::double as tenth, 'nan'::double as none,
        timestamp '2026-02-03 04:05:06.789' as moment, timestamptz '2026-02-03 04:05:06+02' as zoned,
        date '2026-02-03' as day, true as yes, null::integer as nothing, 'é\u2028"' as word, '\\x00\\xFF'::blob as bytes,
        [1, 2] as list`),
    )
    expect(answer.json()).toEqual({
      fields: [
        { name: 'safe', type: 'integer' },
        { name: 'big', type: 'integer' },
        { name: 'least', type: 'integer' },
        { name: 'price', type: 'decimal' },
        { name: 'tenth', type: 'number' },
        { name: 'none', type: 'number' },
        { name: 'moment', type: 'timestamp' },
        { name: 'zoned', type: 'timestamp' },
        { name: 'day', type: 'date' },
        { name: 'yes', type: 'boolean' },
        { name: 'nothing', type: 'integer' },
        { name: 'word', type: 'string' },
        { name: 'bytes', type: 'string' },
        { name: 'list', type: 'json' },
      ],
      rows: [
        [
          9007199254740991,
          '9007199254740993',
          '-9223372036854775808',
          '12345678901234567890.123456789',
          0.1,
          'NaN',
          expect.stringMatching(/^2026-02-03T04:05:06\.789(000)?Z$/),
          expect.stringMatching(/^2026-02-03T02:05:06(\.0+)?Z$/),
          '2026-02-03',
          true,
          null,
          'é\u2028"',
          'AP8=',
          [1, 2],
        ],
      ],
      rowCount: 1,
    })
  })

  test('an empty result has its fields', async () => {
    const answer = await result(await ran('select n from numbers where false'))
    expect(answer.json()).toEqual({ fields: [{ name: 'n', type: 'integer' }], rows: [], rowCount: 0 })
  })

  test('a result that is too large for one buffer is streamed completely, with gzip and without', async () => {
    const large = await ran(`select i, md5(i::text) || md5((i * 7)::text) as text from range(50000) as r (i)`)
    const packed = await result(large, gzip)
    expect(packed.rawPayload.length).toBeGreaterThan(1024 * 1024)
    expect(packed.headers['content-length']).toBe(String(packed.rawPayload.length))
    const plain = await result(large)
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(plain.json().rows).toHaveLength(50_000)
    expect(plain.json().rowCount).toBe(50_000)
  })

  test('a result of more than 4 MiB is stored with zstd, and sent as the client accepts it', async () => {
    const large = await ran(`select i, md5(i::text) || md5((i * 7)::text) as text from range(60000) as r (i)`)
    const plain = await result(large)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.rawPayload.length).toBeGreaterThan(4 * 1024 * 1024)
    const hash = JSON.parse(String(plain.headers['etag'])) as string
    for (const accepted of ['gzip, deflate, br, zstd', 'zstd', 'zstd;q=0.1, gzip']) {
      const stored = await result(large, { 'accept-encoding': accepted })
      expect(stored.headers).toMatchObject({ 'content-encoding': 'zstd', 'content-length': String(stored.rawPayload.length), etag: `"${hash}-zstd"` })
      expect(createHash('sha256').update(stored.rawPayload).digest('base64url')).toBe(hash)
      expect(zstdDecompressSync(stored.rawPayload).equals(plain.rawPayload)).toBe(true)
    }
    for (const accepted of ['gzip', 'gzip, zstd;q=0', '*']) {
      const packed = await result(large, { 'accept-encoding': accepted })
      expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', etag: `"${hash}-gzip"` })
      expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    }
    for (const [accepted, suffix] of [['zstd', '-zstd'], ['gzip', '-gzip'], ['identity', '']] as const) {
      const known = await result(large, { 'accept-encoding': accepted, 'if-none-match': `"${hash}${suffix}"` })
      expect([known.statusCode, known.headers['etag']]).toEqual([304, `"${hash}${suffix}"`])
    }
  })
})
