import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAgentFetch } from '../../../../testing/agent-fetch.ts'
import { storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import { type ModelServer, startModelServer } from '../../../../testing/servers/model-server.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { putModelSettings } from '../../agents/model/model-settings.ts'

let service: TestService
let shop: TestOrganization
let model: ModelServer
const agentFetch = openAgentFetch()

beforeAll(async () => {
  model = await startModelServer()
  service = await startTestService('postgres', { agentFetch: agentFetch.fetch })
  shop = await service.addOrganization('shop')
  const settings = { provider: 'openai_compatible' as const, baseUrl: model.url, model: 'scripted-1', apiKey: 'sk-test' }
  await putModelSettings(service.services, shop.admin.caller, settings)
})
afterAll(async () => {
  await service.stop()
  await model.close()
})
beforeEach(() => model.forget())

const draft = (description: string, organization = shop) =>
  organization.admin.page('POST', '/app/api/boards/draft', { description })
const newReference = async (title: string) => storeReference(shop, (await storeQuery(shop, 'select 1')).id, { title })
const proposal = (input: object) => ({ toolCalls: [{ name: 'propose_board', input: { title: 'Revenue', ...input } }] })
const tileOf = (referenceShortId: string) => ({ kind: 'reference', referenceShortId, width: 6, height: 4 })

test('the model chooses among saved queries that match the description', async () => {
  const revenue = await newReference('Revenue by week')
  const refunds = await newReference('Refunds by country')
  await newReference('Something else')
  model.script(proposal({ tiles: [tileOf(revenue.shortId), tileOf(refunds.shortId)] }))
  const answer = await draft('A board on revenue, with refunds')
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json()).toMatchObject({
    title: 'Revenue',
    tiles: [
      { kind: 'reference', referenceShortId: revenue.shortId, x: 0, y: 0 },
      { kind: 'reference', referenceShortId: refunds.shortId, x: 6, y: 0 },
    ],
    references: expect.arrayContaining([expect.objectContaining({ shortId: revenue.shortId, title: 'Revenue by week' })]),
    notes: [],
  })
  const asked = JSON.stringify(model.requests.at(-1)!.body.messages)
  expect(asked).toContain(revenue.shortId)
  expect(asked).toContain(refunds.shortId)
  expect(asked).not.toContain('Something else')
  // A draft is not saved, but can be as it is.
  const { references: _, notes: __, ...content } = answer.json()
  expect((await shop.admin.page('POST', '/app/api/boards', content)).statusCode).toBe(201)
})

test('a proposal that is not valid goes back to the model, with all faults', async () => {
  const { shortId } = await newReference('Orders')
  model.script(
    proposal({ tiles: [tileOf('abcdefghjk'), { kind: 'reference', width: 6, height: 4 }] }),
    proposal({ tiles: [tileOf(shortId)] }),
  )
  expect((await draft('Orders')).json()).toMatchObject({ tiles: [{ referenceShortId: shortId }], notes: [] })
  const asked = JSON.stringify(model.requests.at(-1)!.body.messages)
  expect(asked).toContain('/tiles/0/referenceShortId is not a query of your organization')
  expect(asked).toContain('/tiles/1/referenceShortId is required')
})

test('the model saves a query where none fits', async () => {
  const { databaseId } = shop
  const sql = 'select count(*) as c from numbers'
  const visualization = { type: 'number', jsxConfig: '' }
  model.script(
    { toolCalls: [{ name: 'run_sql', input: { databaseId, sql } }] },
    { toolCalls: [{ name: 'save_query', input: { databaseId, sql, title: 'Number of digits', visualization } }] },
    (request) => {
      const shortId = /short id is (\w{10})/.exec(JSON.stringify(request.body.messages.at(-1)))![1]!
      return proposal({ tiles: [{ ...tileOf(shortId), width: 3, height: 2 }] })
    },
  )
  const made = (await draft('How many digits are there?')).json()
  expect(made).toMatchObject({ tiles: [{ width: 3, height: 2 }], notes: ['Saved a new query: Number of digits'] })
  expect(made.references).toMatchObject([{ title: 'Number of digits', visualization: { type: 'number' } }])
})

test('without a valid proposal, the draft has the queries that were found', async () => {
  const { shortId } = await newReference('Inventory')
  model.script({ status: 400, body: { error: { message: 'Bad request' } } })
  expect((await draft('Inventory')).json()).toMatchObject({
    title: 'Inventory',
    tiles: [{ referenceShortId: shortId, x: 0, y: 0 }],
    notes: [expect.stringMatching(/^The model could not draft the board: .*Bad request/)],
  })
  model.script(...Array.from({ length: 12 }, () => ({ text: 'I do not know.' })))
  expect((await draft('Inventory')).json()).toMatchObject({
    tiles: [{ referenceShortId: shortId }],
    notes: [expect.stringMatching(/^The model proposed no board/)],
  })
})

test('rejects a draft without a model, and beyond the budget', async () => {
  const bare = await service.addOrganization('bare')
  expect((await draft('Revenue', bare)).json()).toMatchObject({ code: 'model_not_configured' })
  const limits = [{ scope: 'organization', period: 'day', unit: 'tokens', amount: 0 }]
  await shop.admin.page('PUT', '/app/api/model-budget', { currency: null, limits, prices: [] })
  expect((await draft('Revenue')).json()).toMatchObject({ code: 'model_budget_exhausted' })
})
