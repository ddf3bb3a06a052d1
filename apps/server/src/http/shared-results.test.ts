import { existsSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { sweep } from '../workers/sweeper.ts'
import { endOf, expectRefusal, storeQuery } from '../../testing/http/requests.ts'

/** Results that are not files, end to end: from a run to the routes, until they are removed. */
let service: TestService
let shop: TestOrganization
beforeAll(async () => {
  service = await startTestService('postgres', { results: { kind: 'postgres' } })
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

async function ran(text: string) {
  const { id } = await storeQuery(shop, text)
  const run = await endOf(service, shop, shop.admin.api('POST', `/api/queries/${id}/refresh`))
  expect(run).toMatchObject({ status: 'completed' })
  return { queryId: id, runId: run.id }
}
const get = (url: string, headers: Record<string, string> = {}) =>
  service.app.inject({ url, headers: { authorization: `Bearer ${shop.admin.apiKey}`, ...headers } })
async function stored() {
  const { rows } = await sql<{ results: number; pieces: number }>`
    select (select count(*)::integer from results) as results, count(*)::integer as pieces
    from result_pieces`.execute(service.services.db)
  return rows[0]!
}

test('sends a small and a large result, and removes them when they have expired', async () => {
  const small = await ran('select n from numbers where n < 3 order by n')
  const { rows } = (await get(`/api/queries/${small.queryId}/result`)).json()
  expect(rows).toEqual([[0], [1], [2]])
  const large = await ran(`select md5(i::varchar) as text from range(130000) as numbers (i)`)
  expect(await stored()).toEqual({ results: 2, pieces: 1 + Math.ceil((await sizeOf(large.runId)) / (256 * 1024)) })
  const packed = await get(`/api/queries/${large.queryId}/result`, { 'accept-encoding': 'zstd' })
  const plain = await get(`/api/queries/${large.queryId}/result`)
  expect(packed.headers['content-length']).toBe(String(packed.rawPayload.length))
  expect(packed.rawPayload.length).toBeGreaterThan(2 * 1024 * 1024)
  expect(zstdDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
  expect(plain.json().rowCount).toBe(130_000)
  const csv = await shop.admin.page('GET', `/app/api/runs/${large.runId}/result?format=csv&download=1`)
  expect(csv.body.trimEnd().split(/\r?\n/)).toHaveLength(130_001)
  expect(existsSync(`${service.services.dataDirectory}/results`)).toBe(false)

  service.clock.leap(24 * 3600_000)
  expectRefusal(await get(`/api/queries/${large.queryId}/result`), 'result_expired')
  service.clock.leap(61_000)
  await sweep(service.services)
  expect((await stored()).results).toBe(2)
  service.clock.leap(10 * 60_000)
  await sweep(service.services)
  expect(await stored()).toEqual({ results: 0, pieces: 0 })
})

async function sizeOf(runId: string): Promise<number> {
  const { result_size_bytes: size } = await service.services.db
    .selectFrom('runs')
    .select('result_size_bytes')
    .where('id', '=', runId)
    .executeTakeFirstOrThrow()
  return size!
}
