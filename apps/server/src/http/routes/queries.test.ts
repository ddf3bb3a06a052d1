import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { storeKinds } from '../../testing/test-store.ts'

describe.each(storeKinds)('the query routes on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  async function storeQuery(sql: string): Promise<string> {
    const answer = await shop.admin.page('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId: shop.databaseId })
    expect(answer.statusCode).toBe(201)
    return answer.json<{ id: string }>().id
  }

  test('refresh, then retrieve, then read the result', async () => {
    const queryId = await storeQuery('select n, n * 2 as doubled from numbers order by n')
    const before = (await shop.admin.api('GET', `/api/queries/${queryId}`)).json()
    expect(before).toMatchObject({ id: queryId, latestRun: null, latestRunMetadata: null })

    const refreshed = await shop.admin.api('POST', `/api/queries/${queryId}/refresh`)
    expect(refreshed.statusCode).toBe(202)
    const run = refreshed.json()
    expect(run).toEqual({
      id: expect.stringMatching(/^run_/),
      queryId,
      status: 'pending',
      runAt: '2026-01-05T09:00:00.000Z',
      triggerId: expect.stringMatching(/^key_/),
      parameterValues: {},
      renderedSql: 'select n, n * 2 as doubled from numbers order by n',
    })
    await service.ended(shop.admin.caller, run.id)

    const result = await shop.admin.api('GET', `/api/queries/${queryId}/result`)
    expect(result.statusCode).toBe(200)
    expect(result.json()).toEqual({
      fields: [
        { name: 'n', type: 'integer' },
        { name: 'doubled', type: 'integer' },
      ],
      rows: Array.from({ length: 10 }, (_, n) => [n, n * 2]),
      rowCount: 10,
    })
  })
})
