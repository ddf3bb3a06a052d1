import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { at, endOf, expectRefusal, parameter, storeQuery, storeReference } from '../../../../testing/http/requests.ts'

interface Answer {
  status: string
  options: { value: string; label: string }[]
  isComplete: boolean
  completedAt: string | null
  failureReason: string | null
  parameterValues: object
}

const cities = `select * from (values ('DE', 'Berlin', 1), ('DE', 'Bonn', 2), ('FR', 'Paris', 3), ('FR', 'Paris', 3), (null, null, 4), ('FR', null, 5))
  as cities(country, city, id)`

describe('options from the result of a reference', () => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService('postgres')
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const ask = (shortId: string, query: Record<string, string>) =>
    shop.admin.page('GET', `/app/api/references/${shortId}/options?${new URLSearchParams(query).toString()}`)
  const read = async (shortId: string, query: Record<string, string>) => (await ask(shortId, query)).json<Answer>()
  const run = (shortId: string, parameterValues: object = {}) =>
    endOf(service, shop, shop.admin.page('POST', `/app/api/references/${shortId}/runs`, { parameterValues }))
  const stored = async (sql: string, content: object = {}) => (await storeReference(shop, (await storeQuery(shop, sql)).id, { ...content })).shortId

  test('are missing until the reference has a result, and then come from it with its age', async () => {
    const shortId = await stored(cities)
    expect(await read(shortId, { valueColumn: 'city' })).toEqual({
      status: 'missing', options: [], isComplete: true, completedAt: null, failureReason: null, parameterValues: {},
    })
    const { completedAt } = await run(shortId)
    expect(await read(shortId, { valueColumn: 'city' })).toMatchObject({
      status: 'ready',
      options: [{ value: 'Berlin', label: 'Berlin' }, { value: 'Bonn', label: 'Bonn' }, { value: 'Paris', label: 'Paris' }],
      isComplete: true,
      completedAt: completedAt!.toISOString(),
    })
    const labelled = await read(shortId, { valueColumn: 'id', labelColumn: 'city', search: 'B' })
    expect(labelled.options).toEqual([{ value: '1', label: 'Berlin' }, { value: '2', label: 'Bonn' }])
    expect((await read(shortId, { valueColumn: 'id', labelColumn: 'city', search: '5' })).options).toEqual([{ value: '5', label: '5' }])
  })

  test('depend on a column, or on a parameter of the reference', async () => {
    const byColumn = await stored(cities)
    await run(byColumn)
    const of = async (country: unknown) =>
      (await read(byColumn, { valueColumn: 'city', values: JSON.stringify({ country }) })).options.map(({ value }) => value)
    expect(await of('FR')).toEqual(['Paris'])
    expect(await of(['FR', 'DE'])).toEqual(['Berlin', 'Bonn', 'Paris'])
    expect(await of("' or 1=1 --")).toEqual([])

    const byParameter = await stored(`${cities} where country = {{country}}`, { parameters: [parameter('country', 'text', 'FR')] })
    await run(byParameter)
    expect(await read(byParameter, { valueColumn: 'city' })).toMatchObject({ status: 'ready', options: [{ value: 'Paris' }] })
    const german = { valueColumn: 'city', values: JSON.stringify({ country: 'DE' }) }
    expect(await read(byParameter, german)).toMatchObject({ status: 'missing', parameterValues: { country: 'DE' } })
    await run(byParameter, { country: 'DE' })
    expect(await read(byParameter, german)).toMatchObject({ status: 'ready', options: [{ value: 'Berlin' }, { value: 'Bonn' }] })
    // The first result is still there.
    expect(await read(byParameter, { valueColumn: 'city' })).toMatchObject({ status: 'ready', options: [{ value: 'Paris' }] })
  })

  test('are at most 1,000, and a search finds the others', async () => {
    const shortId = await stored('select unnest(generate_series(1, 5000)) as n')
    await run(shortId)
    const all = await read(shortId, { valueColumn: 'n' })
    expect([all.options.length, all.isComplete]).toEqual([1000, false])
    expect(await read(shortId, { valueColumn: 'n', search: '4999' })).toMatchObject({ options: [{ value: '4999' }], isComplete: true })
  })

  test('say why the reference failed', async () => {
    const shortId = await stored("select error('no cities today') as city")
    await run(shortId)
    expect(await read(shortId, { valueColumn: 'city' })).toMatchObject({
      status: 'failed', options: [], failureReason: expect.stringContaining('no cities today'),
    })
  })

  test('are rejected if a column, a value or a parameter is not there', async () => {
    const shortId = await stored(cities)
    await run(shortId)
    expectRefusal(await ask(shortId, { valueColumn: 'town' }), 'invalid_request', { message: /"town".*"country", "city", "id"/ })
    expectRefusal(await ask(shortId, { valueColumn: 'city', values: '{"region":"EU"}' }), 'invalid_request', { message: /"region"/ })
    for (const values of ['[', '[]', '{"country":null}', '{"country":{}}', '"x"']) {
      expectRefusal(await ask(shortId, { valueColumn: 'city', values }), 'invalid_request', at('/values'))
    }
    expectRefusal(await ask('abcdefghjk', { valueColumn: 'city' }), 'reference_not_found')
    const demanding = await stored(`${cities} where country = {{country}} limit {{n}}`, { parameters: [parameter('n', 'number', '')] })
    expectRefusal(await ask(demanding, { valueColumn: 'city' }), 'parameter_missing')
  })
})
