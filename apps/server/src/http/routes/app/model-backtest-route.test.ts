import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { forgetTables, lastToolAnswer } from '../../../../testing/agents/model-agent-world.ts'
import { openAgentFetch } from '../../../../testing/agent-fetch.ts'
import { automationsUrl, createAutomation, runsOf, storeReferenceTo } from '../../../../testing/http/automation-requests.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'
import { type ModelServer, type Script, startModelServer } from '../../../../testing/servers/model-server.ts'
import type { ScriptedAnswer } from '../../../../testing/servers/scripted-answer.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { endModelBacktestTurn, takeModelBacktestTurn } from '../../../store/automations/model-backtest-turns.ts'

const agentFetch = openAgentFetch()
let service: TestService
let shop: TestOrganization
let model: ModelServer
let orders: string
let url: string
let times: string[]

beforeAll(async () => {
  model = await startModelServer()
  service = await startTestService('postgres', { agentFetch: agentFetch.fetch })
  shop = await service.addOrganization('shop')
  const settings = { provider: 'openai_compatible', baseUrl: model.url, model: 'scripted-1', apiKey: 'sk-test' }
  await shop.admin.page('PUT', '/app/api/model-settings', settings)
  orders = await storeReferenceTo(shop, 'select 0', 'Orders')
  for (const total of [10, 20, 30, 40, 50, 60]) {
    await shop.admin.page('PATCH', `/app/api/references/${orders}`, { sql: `select ${total} as total` })
    const { id } = (await shop.admin.page('POST', `/app/api/references/${orders}/runs`, {})).json()
    await service.ended(shop.admin.caller, id)
    while (await service.services.db.selectFrom('archive_jobs').select('run_id').where('state', '=', 'due').executeTakeFirst()) await pollPause()
    service.clock.leap(24 * 3600_000)
  }
  const automation = await createAutomation(shop, { agent: 'model', references: [orders], instructions: 'Report the total.' })
  url = `${automationsUrl}/${automation.id}/model-backtest`
  times = (await shop.admin.page('GET', url)).json().times
  await forgetTables(service.services.db)
})
afterAll(async () => {
  await service.stop()
  await model.close()
  await agentFetch.close()
})
beforeEach(() => model.forget())

const write = (body: object) => shop.admin.page('POST', url, body)
const readOrders = () => ({ toolCalls: [{ name: 'read_reference', input: { shortId: orders } }] })
const countOf = async (table: 'runs' | 'queries' | 'chats' | 'agent_runs' | 'webhook_events') =>
  (await service.services.db.selectFrom(table).select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()).count
const counts = () => Promise.all((['runs', 'queries', 'chats', 'agent_runs', 'webhook_events'] as const).map(countOf))

test('offers the last five times, and says that it can’t estimate without earlier runs', async () => {
  expect((await shop.admin.page('GET', url)).json()).toEqual({ model: 'scripted-1', times, estimate: null, currency: null })
  expect(times).toHaveLength(5)
  expect(times).toEqual(times.toSorted().toReversed())
})

test('writes the summary of each day from the result of that day, and saves nothing', async () => {
  const before = await counts()
  const answer = { text: 'The total is **{{r1: total}}**.' }
  model.script(readOrders(), answer, readOrders(), answer)
  const [newest, second] = [(await write({ at: times[0] })).json(), (await write({ at: times[1] })).json()]
  expect(newest).toMatchObject({ summary: expect.stringMatching(/^The total is \*\*\[60\]\(.*\/runs\/run_\w+\)\*\*\.$/), failureReason: null, unverifiedCount: 0 })
  expect(second.summary).toContain('[50]')
  expect(newest).toMatchObject({ inputTokens: 200, outputTokens: 40 })
  expect(await counts()).toEqual(before)
  const [asked] = model.requests.slice(-4)
  expect(asked!.body.messages[0].content).toContain(times[0])
  expect(JSON.stringify(asked!.body.messages)).toContain('Report the total.')
})

test('writes with other instructions that are not saved', async () => {
  model.script({ text: 'All quiet.' })
  expect((await write({ at: times[0], instructions: 'Be brief.' })).json().summary).toBe('All quiet.')
  const asked = JSON.stringify(model.requests.at(-1)!.body.messages)
  expect(asked).toContain('Be brief.')
  expect(asked).not.toContain('Report the total.')
})

test('refuses SQL and other references, and strikes through figures that no result proves', async () => {
  const other = await storeReferenceTo(shop, 'select 1 as secret', 'Other')
  const before = await counts()
  const seen: string[] = []
  const note = (next: ScriptedAnswer): Script => ({ body }) => {
    seen.push(lastToolAnswer(body))
    return next
  }
  model.script(
    { toolCalls: [{ name: 'run_sql', input: { databaseId: shop.databaseId, sql: 'select 1' } }] },
    note({ toolCalls: [{ name: 'read_reference', input: { shortId: other } }] }),
    note({ text: 'The total is 4711.' }),
    { text: 'The total is 4711.' },
  )
  expect((await write({ at: times[0] })).json()).toMatchObject({ summary: 'The total is ~~4711~~.', unverifiedCount: 1 })
  expect(seen[0]).toContain('SQL is not run for a past summary.')
  expect(seen[1]).toContain(`Only the references of the task can be read: ${orders}.`)
  expect(await counts()).toEqual(before)
})

test('returns the reason if the model fails', async () => {
  model.script({ status: 400, body: { error: { message: 'Bad request' } } })
  expect((await write({ at: times[0] })).json()).toMatchObject({ summary: null, failureReason: expect.stringContaining('Bad request') })
})

test('rejects other times, invalid instructions and automations with the digest', async () => {
  expectRefusal(await write({ at: '2026-01-01T00:00:00.000Z' }), 'invalid_request', at('/at'))
  expectRefusal(await write({ at: times[0], instructions: ' ' }), 'invalid_request', at('/instructions'))
  const digest = await createAutomation(shop, { references: [orders] })
  expectRefusal(await shop.admin.page('GET', `${automationsUrl}/${digest.id}/model-backtest`), 'automation_without_model')
})

test('writes one summary at a time for an organization, until the turn expires', async () => {
  const { db } = service.services
  const { organizationId } = shop.admin.caller
  const turn = (await takeModelBacktestTurn(db, { organizationId, leaseMs: 60_000 }))!
  expectRefusal(await write({ at: times[0] }), 'model_backtest_running')
  service.clock.leap(60_000)
  const next = (await takeModelBacktestTurn(db, { organizationId, leaseMs: 60_000 }))!
  await endModelBacktestTurn(db, turn)
  expect(await takeModelBacktestTurn(db, { organizationId, leaseMs: 60_000 })).toBeUndefined()
  await endModelBacktestTurn(db, next)
  model.script({ text: 'All quiet.' })
  expect((await write({ at: times[0] })).statusCode).toBe(200)
})

test('stops when the client disconnects', async () => {
  const asking = new AbortController()
  const address = await service.app.listen({ port: 0, host: '127.0.0.1' })
  model.script('hang')
  const count = model.requests.length
  const answer = fetch(`${address}${url}`, {
    method: 'POST',
    headers: { cookie: Object.entries(shop.admin.session).map((pair) => pair.join('=')).join('; '), 'content-type': 'application/json' },
    body: JSON.stringify({ at: times[0] }),
    signal: asking.signal,
  })
  await model.seen(count + 1)
  asking.abort()
  await expect(answer).rejects.toThrow('aborted')
  const { organizationId } = shop.admin.caller
  let turn
  while (!(turn = await takeModelBacktestTurn(service.services.db, { organizationId, leaseMs: 60_000 }))) await pollPause()
  await endModelBacktestTurn(service.services.db, turn)
})

test('estimates from earlier runs and prices', async () => {
  const id = url.split('/').at(-2)!
  model.script(readOrders(), { text: 'The total is {{r1: total}}.' })
  await shop.admin.page('POST', `${automationsUrl}/${id}/runs`)
  while ((await runsOf(shop.admin, id))[0]!.status !== 'completed') await pollPause()
  await shop.admin.page('PUT', '/app/api/model-budget', { currency: 'EUR', limits: [], prices: [{ model: 'scripted-1', inputPrice: 10, outputPrice: 50 }] })
  const estimate = { runCount: 1, inputTokens: 200, outputTokens: 40, cost: 0.004 }
  expect((await shop.admin.page('GET', url)).json()).toMatchObject({ estimate: { basis: 'automation', ...estimate }, currency: 'EUR' })
  const fresh = await createAutomation(shop, { agent: 'model', references: [orders] })
  const ofFresh = await shop.admin.page('GET', `${automationsUrl}/${fresh.id}/model-backtest`)
  expect(ofFresh.json()).toMatchObject({ estimate: { basis: 'organization', ...estimate } })
})

test('counts toward the budget and stops at it', async () => {
  const usage = (await shop.admin.page('GET', '/app/api/model-usage')).json()
  expect(usage.sources).toMatchObject([{ kind: 'automation', requestCount: expect.any(Number) }])
  const limitTo = (amount: number) =>
    shop.admin.page('PUT', '/app/api/model-budget', {
      currency: null,
      limits: [{ scope: 'organization', period: 'day', unit: 'tokens', amount }],
      prices: [],
    })
  service.clock.leap(24 * 3600_000)
  await limitTo(100)
  model.script(readOrders(), { text: 'Never asked for.' })
  expectRefusal(await write({ at: times[0] }), 'model_budget_exhausted')
  const count = model.requests.length
  expectRefusal(await write({ at: times[0] }), 'model_budget_exhausted')
  expect(model.requests).toHaveLength(count)
})
