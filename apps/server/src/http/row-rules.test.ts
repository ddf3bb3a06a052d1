import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAutomation } from '../../testing/http/automation-requests.ts'
import { collectRoutes } from '../../testing/http/collect-routes.ts'
import { at, endOf, expectRefusal } from '../../testing/http/requests.ts'
import { pollPause } from '../../testing/poll-pause.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../testing/test-service.ts'
import { isEnded } from '../domain/runs/read-runs.ts'
import { asViewer } from '../store/viewer.ts'
import { insertRun } from '../store/runs/runs-table.ts'
import { tools } from './mcp/tools.ts'

/** Attacks row rules: whatever members send or read, they see only rows for their own attribute. */
let service: TestService
let shop: TestOrganization
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let queryId: string
let shortId: string
let boardShortId: string
let listRoutes: string[]

const rule = { attribute: 'region', kind: 'parameter', name: 'tenant', automationValue: null }
const definition = { name: 'tenant', displayName: 'Tenant', type: 'text', defaultValue: 'everyone', description: '' }
const setRules = (rules: object[]) => admin('PUT', `/app/api/access/databases/${shop.databaseId}/row-rules`, { rules })
const setAttributes = (person: TestPerson, attributes: Record<string, string>) =>
  admin('PUT', `/app/api/access/members/${person.caller.userId}/attributes`, { attributes })

const admin: TestPerson['page'] = async (...request) => {
  const answer = await shop.admin.page(...request)
  expect(answer.statusCode, `${request[0]} ${request[1]}: ${answer.body}`).toBeLessThan(300)
  return answer
}

async function save(sql: string, content: object = {}, analyticalDatabaseConfigId = shop.databaseId) {
  const query = (await admin('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId })).json<{ id: string }>()
  const reference = (await admin('POST', '/app/api/references', { queryId: query.id, title: 'Sales', ...content })).json<{ shortId: string }>()
  return { queryId: query.id, shortId: reference.shortId }
}

beforeAll(async () => {
  const { built, routes } = await collectRoutes(() => startTestService('postgres'))
  service = built
  listRoutes = routes
    .filter(({ method, url, config }) => method === 'GET' && /^\/(app\/)?api\//.test(url) && !url.includes(':') && !config?.isEventStream)
    .map(({ url }) => url)
  shop = await service.addOrganization('shop')
  ada = await shop.addPerson('member', 'ada@shop.test')
  ben = await shop.addPerson('member', 'ben@shop.test')
  cy = await shop.addPerson('member', 'cy@shop.test')
  ;({ queryId, shortId } = await save(`select 'row_of_' || {{tenant}} as who`, { parameters: [definition] }))
  const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4, parameterMapping: { tenant: 'which' } }
  const board = { title: 'Sales', tiles: [tile], parameters: [{ ...definition, name: 'which' }] }
  boardShortId = (await admin('POST', '/app/api/boards', board)).json().shortId
  await setAttributes(ada, { region: 'a' })
  await setAttributes(ben, { region: 'b' })
  // A result from before there were rules, with everything.
  await endOf(service, shop, shop.admin.page('POST', `/app/api/references/${shortId}/runs`))
  await setRules([rule])
}, 300_000)
afterAll(() => service.stop())

const run = (person: TestPerson, parameterValues: object = {}) => person.page('POST', `/app/api/references/${shortId}/runs`, { parameterValues })
const rowsOf = async (person: TestPerson, runId: string) => (await person.page('GET', `/app/api/runs/${runId}/result`)).json<{ rows: unknown[][] }>().rows

test.each([{}, { tenant: 'b' }, { TENANT: 'b' }, { Tenant: 'b', tenant: 'b' }, { tenant: ['b'] }, { tenant: 7 }, { tenant: true }])('the value of a bound parameter is locked, whatever is sent: %j', async (values) => {
  const ended = await endOf(service, shop, run(ada, values))
  expect(ended).toMatchObject({ status: 'completed', parameterValues: { tenant: 'a' } })
  expect(await rowsOf(ada, ended.id)).toEqual([['row_of_a']])
})

test('another spelling of the parameter, a list and definitions of the caller are locked too', async () => {
  const other = await save(`select 'row_of_' || {{TENANT}} as who, [{{tenant}}] as list`)
  const body = { parameterValues: { TENANT: 'b', tenant: ['b', 'c'] }, parameters: [{ ...definition, defaultValue: '[]', isList: true }] }
  const ended = await endOf(service, shop, ben.page('POST', `/app/api/queries/${other.queryId}/runs`, body))
  expect(ended.parameterValues).toEqual({ TENANT: 'b', tenant: ['b'] })
  const mine = await endOf(service, shop, ada.page('POST', `/app/api/queries/${other.queryId}/runs`, body))
  expect(mine.parameterValues).toEqual({ TENANT: 'a', tenant: ['a'] })
})

test('a refresh by key has the value of the member', async () => {
  const answer = await ben.api('POST', `/api/queries/${queryId}/refresh`)
  expect(answer.statusCode).toBe(202)
  const ended = await service.ended(ben.caller, answer.json<{ id: string }>().id)
  expect(ended.parameterValues).toEqual({ tenant: 'b' })
  expect((await ben.api('GET', `/api/queries/${queryId}/result`)).body).toContain('row_of_b')
})

test('without the attribute nothing runs and nothing is shown', async () => {
  for (const person of [cy, shop.admin]) {
    expectRefusal(await run(person), 'attribute_missing', { message: /"region"/ })
    expectRefusal(await person.api('POST', `/api/queries/${queryId}/refresh`), 'attribute_missing')
    expectRefusal(await person.api('GET', `/api/queries/${queryId}/result`), 'result_not_available')
    expectRefusal(await person.page('GET', `/app/api/databases/${shop.databaseId}/tables/main/numbers/preview`), 'row_rules_apply')
  }
})

test('nothing that others can read has the rows of a member, not even of one who runs the same', { timeout: 300_000 }, async () => {
  const ofAda = await endOf(service, shop, run(ada))
  await ada.page('POST', `/app/api/boards/${boardShortId}/refresh`, { parameters: { which: 'b' } })
  const addresses = [
    `/app/api/references/${shortId}`,
    `/app/api/references/${shortId}/results`,
    `/app/api/references/${shortId}/options?valueColumn=who`,
    `/app/api/references/${shortId}/options?valueColumn=who&values=${encodeURIComponent('{"tenant":"a"}')}`,
    `/api/references/${shortId}`,
    `/api/references/${shortId}/results`,
    `/api/references/${shortId}/results/${ofAda.id}`,
    `/api/references/${shortId}/results/${ofAda.id}?format=csv`,
    `/api/queries/${queryId}`,
    `/api/queries/${queryId}/result`,
    `/app/api/queries/${queryId}`,
    `/app/api/queries/${queryId}/runs`,
    `/app/api/runs/${ofAda.id}`,
    `/app/api/runs/${ofAda.id}/result`,
    `/app/api/runs/${ofAda.id}/download?format=csv`,
    `/app/api/boards/${boardShortId}`,
    `/app/api/boards/${boardShortId}/export`,
    `/app/api/search?q=row_of_a`,
  ]
  const everyone = new RegExp(`row_of_(a|everyone)|${ofAda.id}`)
  for (const person of [ben, shop.admin]) {
    for (const address of [...listRoutes, ...addresses]) {
      const read = address.startsWith('/api/') ? person.api : person.page
      const { body } = await read('GET', address)
      expect(body.replaceAll(address, '').replaceAll(`"${ofAda.id}\\"`, ''), `${person.email} ${address}`).not.toMatch(refusalsAside(everyone, body))
    }
    for (const { name } of tools) {
      for (const given of [{ shortId, parameterValues: { tenant: 'a' } }, { runId: ofAda.id }]) {
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
        const { body } = await person.api('POST', '/mcp', message, { accept: 'application/json, text/event-stream' })
        expect(body, `${person.email} ${name} ${JSON.stringify(given)}`).not.toMatch(/row_of_(a|everyone)/)
      }
    }
    expectRefusal(await person.page('POST', `/app/api/runs/${ofAda.id}/cancel`), 'run_not_found')
  }
  // Proves that the check above can fail.
  for (const address of addresses.filter((each) => each.endsWith('/result'))) {
    expect((await (address.startsWith('/api/') ? ada.api : ada.page)('GET', address)).body, address).toContain('row_of_a')
  }
})

/** A refusal may repeat the id of the request. */
const refusalsAside = (pattern: RegExp, body: string) => (/"code":"\w+_not_(found|available)"/.test(body) ? /row_of_(a|everyone)/ : pattern)

test('a tile of a board is locked, and each member has a result', async () => {
  for (const [person, region] of [[ada, 'a'], [ben, 'b']] as const) {
    const refreshed = await person.page('POST', `/app/api/boards/${boardShortId}/refresh`, { parameters: { which: 'z' } })
    expect(refreshed.statusCode, refreshed.body).toBe(202)
    const results = () => person.page('POST', `/app/api/boards/${boardShortId}/results`, { parameters: { which: 'z' } })
    const [tile] = (await results()).json<{ tiles: { runId: string | null; runningRunId: string | null }[] }>().tiles
    await service.ended(person.caller, (tile!.runningRunId ?? tile!.runId)!)
    const [ended] = (await results()).json<{ tiles: { runId: string }[] }>().tiles
    expect(await rowsOf(person, ended!.runId)).toEqual([[`row_of_${region}`]])
  }
})

test('other queries cannot read a bound one, and old results of those that did are not shown', async () => {
  const { id } = (await admin('POST', '/app/api/databases/saved-queries')).json<{ id: string }>()
  const body = { sql: `select * from ref('${shortId}', tenant => 'a')`, analyticalDatabaseConfigId: id }
  await setRules([])
  const reading = await save(body.sql, { title: 'Reading' }, id)
  const made = await endOf(service, shop, shop.admin.page('POST', `/app/api/references/${reading.shortId}/runs`))
  expect(await rowsOf(ben, made.id)).toEqual([['row_of_a']])
  const link = (await admin('POST', `/app/api/references/${reading.shortId}/public-links`, {})).json<{ url: string }>()
  const opened = () => service.app.inject({ method: 'GET', url: `/public/api/links/${link.url.split('/').at(-1)}` })
  expect((await opened()).statusCode).toBe(200)
  await setRules([rule])
  for (const person of [ada, ben, shop.admin]) expectRefusal(await person.page('GET', `/app/api/runs/${made.id}/result`), 'run_not_found')
  expectRefusal(await ben.page('POST', `/app/api/references/${reading.shortId}/runs`), 'ref_invalid', { message: /row rules/ })
  expectRefusal(await opened(), 'row_rules_apply')
})

test('a bound query is not shown outside the organization', async () => {
  expectRefusal(await ada.page('POST', `/app/api/references/${shortId}/public-links`, {}), 'row_rules_apply')
})

test('an automation needs values of its own', async () => {
  const automation = await createAutomation(shop, { references: [shortId] })
  async function chatOfRun() {
    const { id } = (await admin('POST', `/app/api/automations/${automation.id}/runs`)).json<{ id: string }>()
    for (;;) {
      const found = (await ben.page('GET', `/app/api/automation-runs/${id}`)).json<{ status: string; chatShortId: string }>()
      if (found.status === 'completed' || found.status === 'failed') return found
      await pollPause()
    }
  }
  const refused = await chatOfRun()
  expect((await admin('GET', `/app/api/chats/${refused.chatShortId}`)).body).toContain('row rules without a value for automations')
  await setRules([{ ...rule, automationValue: 'b' }])
  const done = await chatOfRun()
  expect(done.status).toBe('completed')
  expect((await ben.page('GET', `/app/api/chats/${done.chatShortId}`)).body).toContain('row_of_b')
  for (const person of [ada, cy]) expectRefusal(await person.page('GET', `/app/api/chats/${done.chatShortId}`), 'chat_not_found')
  await setRules([rule])
})

test('a query that runs for someone else is numbered and waited for', async () => {
  const { organizationId } = shop.admin.caller
  const { db, clock } = service.services
  const hidden = await asViewer(undefined, () =>
    insertRun(db, { id: 'run_hidden', organizationId, queryId, triggerId: 'x', parameterValues: {}, parameterTypes: {}, renderedSql: '', runAt: clock.now(), rowBindings: '[]' }),
  )
  expect(isEnded(hidden!)).toBe(false)
  // The run was requested with other rules than there are now.
  expect((await service.ended(shop.admin.caller, 'run_hidden')).failureReason).toMatch(/row rules of the database have changed/)
  expect((await endOf(service, shop, run(ada))).number).toBeGreaterThan(hidden!.number)
})

test('attributes and rules are checked', async () => {
  const attributes = (given: object) => shop.admin.page('PUT', `/app/api/access/members/${ada.caller.userId}/attributes`, { attributes: given })
  expectRefusal(await attributes({ 'a b': 'x' }), 'invalid_request', at('/attributes'))
  expectRefusal(await attributes({ region: '' }), 'invalid_request', at('/attributes/region'))
  expectRefusal(await attributes({ region: 'a\u0007' }), 'invalid_request', at('/attributes/region'))
  const rules = (given: object[]) => shop.admin.page('PUT', `/app/api/access/databases/${shop.databaseId}/row-rules`, { rules: given })
  expectRefusal(await rules([{ ...rule, kind: 'role', name: null }]), 'invalid_request', at('/rules/0/kind'))
  expectRefusal(await rules([{ ...rule, name: 'a b' }]), 'invalid_request', at('/rules/0/name'))
  expectRefusal(await rules([rule, { ...rule, name: 'TENANT' }]), 'invalid_request', at('/rules/1'))
  expectRefusal(await ada.page('PUT', `/app/api/access/databases/${shop.databaseId}/row-rules`, { rules: [] }), 'forbidden')
  expect((await admin('GET', '/app/api/access/attributes')).json().items).toContainEqual({
    userId: ada.caller.userId, name: 'region', value: 'a', isFromProvider: false,
  })
})
