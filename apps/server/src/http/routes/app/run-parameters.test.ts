import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { at, expectRefusal, parameter, storeQuery, storeReference } from '../../../../testing/http/requests.ts'

/** Running an unsaved query: its parameter definitions come with the request. */
describe('a run with its own parameter definitions', () => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService('postgres', { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const run = async (sql: string, body: object) => {
    const { id } = await storeQuery(shop, sql)
    return shop.admin.page('POST', `/app/api/queries/${id}/runs`, body)
  }

  test('uses their types and defaults', async () => {
    const parameters = [
      { name: 'n', type: 'number', defaultValue: '7' },
      { name: 'day', type: 'date' },
    ]
    const answer = await run('select {{n}}, {{day}}', { parameterValues: { day: '2026-01-31' }, parameters })
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toMatchObject({ parameterValues: { n: 7, day: '2026-01-31' } })
    expect(answer.json().renderedSql).toMatch(/^select \(?7\)?, .*2026-01-31/)
  })

  test('prefers them over those of a reference', async () => {
    const { id } = await storeQuery(shop, 'select {{n}}')
    const stored = await storeReference(shop, id)
    await shop.admin.page('PATCH', `/app/api/references/${stored.shortId}`, { parameters: [parameter('n', 'number', '1')] })
    const url = `/app/api/queries/${id}/runs`
    const answer = await shop.admin.page('POST', url, { parameters: [{ name: 'n', type: 'text', defaultValue: 'one' }] })
    expect(answer.json()).toMatchObject({ renderedSql: "select 'one'", parameterValues: { n: 'one' } })
  })

  test('is rejected if they are invalid, or a value is missing or does not fit', async () => {
    const refused = await run('select {{n}}', { parameters: [{ name: 'n', type: 'number', defaultValue: 'x' }] })
    expectRefusal(refused, 'invalid_request', at('/parameters/0/defaultValue'))
    expectRefusal(await run('select 1', { parameters: [{ name: '1', type: 'text' }] }), 'invalid_request', at('/parameters/0/name'))
    expectRefusal(await run('select {{n}}', { parameters: [{ name: 'n', type: 'number' }] }), 'parameter_missing')
    const unfit = { parameters: [{ name: 'n', type: 'number' }], parameterValues: { n: 'many' } }
    expectRefusal(await run('select {{n}}', unfit), 'parameter_invalid')
  })
})
