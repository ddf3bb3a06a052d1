import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runOnInputs } from '../../../domain/saved-queries/run-on-inputs.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'

let service: TestService
let shop: TestOrganization
let other: TestOrganization
let databaseId: string

beforeAll(async () => {
  service = await startTestService('postgres')
  shop = await service.addOrganization('shop')
  other = await service.addOrganization('other')
  databaseId = await refDatabase(shop.admin)
})
afterAll(() => service.stop())

async function refDatabase(person: TestPerson): Promise<string> {
  const answer = await person.page('POST', '/app/api/databases/saved-queries')
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({ name: 'Saved queries', engine: 'duckdb', settings: { readsSavedQueries: true } })
  return answer.json<{ id: string }>().id
}

async function store(person: TestPerson, sql: string, analyticalDatabaseConfigId: string) {
  return person.page('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId })
}

async function save(sql: string, options: { database?: string; parameters?: object[]; title?: string } = {}): Promise<string> {
  const stored = await store(shop.admin, sql, options.database ?? databaseId)
  expect(stored.statusCode).toBe(201)
  const { title = 'Saved', parameters = [] } = options
  const answer = await shop.admin.page('POST', '/app/api/references', { queryId: stored.json<{ id: string }>().id, title, parameters })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ shortId: string }>().shortId
}

const saveNumbers = (sql: string, parameters: object[] = []) => save(sql, { database: shop.databaseId, parameters, title: 'Numbers' })

async function request(sql: string, parameterValues: object = {}, definitions?: object[]) {
  const stored = await store(shop.admin, sql, databaseId)
  if (stored.statusCode !== 201) return stored
  const { id } = stored.json<{ id: string }>()
  return shop.admin.page('POST', `/app/api/queries/${id}/runs`, { parameterValues, ...(definitions && { parameters: definitions }) })
}

interface Inputs {
  inputs: { referenceShortId: string; runId: string; status: string; resultHash: string | null; parameterValues: object }[]
}

async function run(sql: string, parameterValues: object = {}) {
  const answer = await request(sql, parameterValues)
  expect(answer.json()).toMatchObject({ id: expect.any(String) as string })
  const { id } = answer.json<{ id: string }>()
  const ended = await service.ended(shop.admin.caller, id)
  const { inputs } = (await shop.admin.page('GET', `/app/api/runs/${id}`)).json<Inputs>()
  const result = await shop.admin.page('GET', `/app/api/runs/${id}/result`)
  return { ...ended, inputs, rows: ended.status === 'completed' ? result.json<{ rows: unknown[][] }>().rows : [] }
}

test('creates the database for saved queries once, for any member', async () => {
  const member = await shop.addPerson('member', 'grace@shop.test')
  expect(await refDatabase(member)).toBe(databaseId)
  expect(await refDatabase(other.admin)).not.toBe(databaseId)
})

test('joins the results of saved queries, and records which ones', async () => {
  const numbers = await saveNumbers('select n, n * 1.5 as price, timestamp \'2026-01-05 09:00:00\' as at from numbers')
  const squares = await saveNumbers('select n, n * n as square from numbers where n < {{below}}', [{ name: 'below', type: 'number', defaultValue: '3' }])
  const joined = await run(`select r.n, s.square, big.square as bigger, price
    from ref('${numbers}') r join ref('${squares}') s using (n) join ref('${squares}', below => {{below}}) big using (n) order by 1`, { below: 5 })
  expect(joined.failureReason).toBeNull()
  expect(joined.rows).toEqual([[0, 0, 0, '0.0'], [1, 1, 1, '1.5'], [2, 4, 4, '3.0']])
  expect(joined.inputs).toMatchObject([
    { referenceShortId: numbers, status: 'completed', parameterValues: {} },
    { referenceShortId: squares, status: 'completed', parameterValues: { below: 3 } },
    { referenceShortId: squares, status: 'completed', parameterValues: { below: 5 } },
  ])
  expect(new Set(joined.inputs.map(({ resultHash }) => resultHash)).size).toBe(3)
})

test('reads a stored result that is fresh enough, and runs the saved query otherwise', async () => {
  const numbers = await saveNumbers('select count(*) as count from numbers')
  const first = await run(`select count + 1 as count from ref('${numbers}')`)
  service.clock.leap(3600_000)
  const second = await run(`select count + 2 as count from ref('${numbers}')`)
  expect(second.inputs[0]!.runId).toBe(first.inputs[0]!.runId)
  const fresh = await run(`select count + 3 as count from ref('${numbers}', max_age => '10 minutes')`)
  expect(fresh.inputs[0]!.runId).not.toBe(first.inputs[0]!.runId)
  expect([first, second, fresh].map(({ rows }) => rows)).toEqual([[[11]], [[12]], [[13]]])
})

test('runs a saved query whose result is older than its own limit, unless ref says otherwise', async () => {
  const numbers = await saveNumbers('select count(*) + 100 as count from numbers')
  const setLimit = (freshForSeconds: unknown) => shop.admin.page('PATCH', `/app/api/references/${numbers}`, { freshForSeconds })
  expect((await setLimit(900)).json()).toMatchObject({ freshForSeconds: 900 })
  const inputOf = async (plus: number, argument = '') =>
    (await run(`select count + ${plus} as count from ref('${numbers}'${argument})`)).inputs[0]!.runId
  const first = await inputOf(1)
  service.clock.leap(600_000)
  expect(await inputOf(2)).toBe(first)
  service.clock.leap(600_000)
  expect(await inputOf(3, `, max_age => '1 hour'`)).toBe(first)
  const second = await inputOf(4)
  expect(second).not.toBe(first)
  service.clock.leap(3600_000)
  expect((await setLimit(null)).json()).toMatchObject({ freshForSeconds: null })
  expect(await inputOf(5)).toBe(second)
  for (const limit of [59, 2_592_001, 1.5, 'soon']) expect((await setLimit(limit)).statusCode).toBe(400)
})

test('runs nothing if the SQL and its inputs are unchanged', async () => {
  const numbers = await saveNumbers('select n from numbers limit 2')
  const sum = await save(`select sum(n)::integer as total from ref('${numbers}')`)
  const start = async () => (await shop.admin.page('POST', `/app/api/references/${sum}/runs`, {})).json<{ id: string; status: string }>()
  const first = await start()
  await service.ended(shop.admin.caller, first.id)
  expect(await start()).toMatchObject({ id: first.id, status: 'completed' })
  const random = await save(`select random() as x from ref('${numbers}')`)
  const startRandom = async () => (await shop.admin.page('POST', `/app/api/references/${random}/runs`, {})).json<{ id: string }>().id
  const firstRandom = await startRandom()
  await service.ended(shop.admin.caller, firstRandom)
  expect(await startRandom()).not.toBe(firstRandom)
})

test('reads saved queries that read others, which run first', async () => {
  const numbers = await saveNumbers('select n from numbers where n > 6')
  const doubled = await save(`select n * 2 as n from ref('${numbers}')`)
  const both = await run(`select a.n, b.n as double from ref('${numbers}') a join ref('${doubled}') b on b.n = a.n * 2 order by 1`)
  expect(both.failureReason).toBeNull()
  expect(both.rows).toEqual([[7, 14], [8, 16], [9, 18]])
})

test('lists saved queries as tables, with the columns of their newest results', async () => {
  const numbers = await saveNumbers('select n, n::varchar as name from numbers')
  await run(`select * from ref('${numbers}')`)
  const { items } = (await shop.admin.page('GET', `/app/api/databases/${databaseId}/tables`)).json<{ items: { name: string }[] }>()
  const columns = [{ name: 'n', type: 'integer' }, { name: 'name', type: 'string' }]
  expect(items.find(({ name }) => name === `ref('${numbers}')`)).toMatchObject({ comment: 'Numbers', columns })
  const { items: others } = (await other.admin.page('GET', `/app/api/databases/${await refDatabase(other.admin)}/tables`)).json<{ items: object[] }>()
  expect(others).toEqual([])
})

test('fails with the reason of an input that fails', async () => {
  const broken = await saveNumbers(`select 1 / (n - n)::integer as x, error('no such luck') from numbers`)
  const failed = await run(`select * from ref('${broken}')`)
  expect(failed).toMatchObject({ status: 'failed', failureReason: expect.stringContaining(`“Numbers” (${broken}) failed: `) as string })
  expect(failed.failureReason).toContain('no such luck')
})

test('shows errors in the SQL as it was written', async () => {
  const numbers = await saveNumbers('select n from numbers')
  const failed = await run(`select n,\n  nope from ref('${numbers}') r`)
  expect(failed.failureReason).toContain(`LINE 2:   nope from ref('${numbers}') r`)
  expect(failed.errorPosition).toEqual({ line: 2, column: 3 })
})

test('rejects inputs that are too large together', async () => {
  const numbers = await saveNumbers('select n from numbers')
  const { id, renderedSql } = await run(`select n from ref('${numbers}')`)
  const { organizationId } = shop.admin.caller
  const database = { id: 'db_none', revision: 1, organizationId, engine: 'duckdb', settings: { file: 'none.duckdb' } } as const
  const again = { id, organizationId, database, renderedSql }
  const attempt = runOnInputs({ ...service.services, inputsMaxBytes: 10 }, again, { sql: renderedSql, signal: new AbortController().signal })
  await expect(attempt).rejects.toThrow(`The largest is that of “Numbers” (${numbers})`)
})

test('cannot read files or other databases', async () => {
  const numbers = await saveNumbers('select n from numbers')
  const failed = await run(`select * from ref('${numbers}'), read_text('/etc/hostname')`)
  expect(failed).toMatchObject({ status: 'failed', failureReason: expect.stringContaining('Permission Error') as string })
})

describe('rejects', () => {
  const refused = (message: string) => ({ code: 'ref_invalid', message: expect.stringContaining(message) as string })

  test('saved queries that do not exist, were deleted, or belong to another organization', async () => {
    const deleted = await saveNumbers('select n from numbers')
    await shop.admin.page('DELETE', `/app/api/references/${deleted}`)
    const stored = await store(other.admin, 'select n from numbers', other.databaseId)
    const foreign = (await other.admin.page('POST', '/app/api/references', { queryId: stored.json<{ id: string }>().id })).json<{ shortId: string }>()
    for (const shortId of ['abcdefghjk', deleted, foreign.shortId]) {
      const answer = await request(`select * from ref('${shortId}')`)
      expect(answer.statusCode).toBe(422)
      expect(answer.json()).toMatchObject(refused(`no saved query ref('${shortId}')`))
    }
  })

  test('ref in a query on another database', async () => {
    const answer = await store(shop.admin, `select * from ref('abcdefghjk')`, shop.databaseId)
    expect(answer.json()).toMatchObject(refused('Choose that database'))
  })

  test('calls that cannot be read', async () => {
    expect((await request(`select 1\nfrom ref(now())`)).json()).toMatchObject(refused('(line 2)'))
  })

  test('missing and unknown values', async () => {
    const numbers = await saveNumbers('select n from numbers where n = {{one}}', [{ name: 'one', type: 'number' }])
    expect((await request(`select * from ref('${numbers}')`)).json()).toMatchObject(refused('"one" has no value'))
    expect((await request(`select * from ref('${numbers}', two => 2)`)).json()).toMatchObject(refused('no parameter "two"'))
    expect((await request(`select * from ref('${numbers}', one => 1, max_age => 'soon')`)).json()).toMatchObject(refused('max_age'))
  })

  test('saved queries that read themselves', async () => {
    const numbers = await saveNumbers('select n from numbers')
    const first = await save(`select n from ref('${numbers}')`, { title: 'First' })
    const second = await save(`select n from ref('${first}')`, { title: 'Second' })
    const change = (shortId: string, to: string) => shop.admin.page('PATCH', `/app/api/references/${shortId}`, { sql: `select n from ref('${to}')` })
    expect((await change(first, first)).json()).toMatchObject(refused('cannot read itself'))
    expect((await change(first, second)).json()).toMatchObject(refused(`reads “Second” (${second}), which reads “First” (${first})`))
    expect((await change(second, numbers)).statusCode).toBe(200)
  })
})
