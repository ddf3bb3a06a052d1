import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAgentFetch } from '../../testing/agent-fetch.ts'
import { endOf, expectRefusal } from '../../testing/http/requests.ts'
import { pollPause } from '../../testing/poll-pause.ts'
import { type ModelServer, startModelServer } from '../../testing/servers/model-server.ts'
import { type PostgresWithPassword, startPostgresWithPassword } from '../../testing/servers/postgres-with-password.ts'
import type { ScriptedCall } from '../../testing/servers/scripted-answer.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../testing/test-service.ts'

/**
 * Row rules that the policies of a database enforce. A model that is asked by someone who may not see everything tries to get at the rest, and
 * people with different bindings ask for the same at once.
 */
const agentFetch = openAgentFetch()
let service: TestService
let warehouse: PostgresWithPassword
let server: ModelServer
let shop: TestOrganization
let ada: TestPerson
let ben: TestPerson
let databaseId: string
let savedQueriesId: string
let queryId: string
let shortId: string
let runOfBen: string

beforeAll(async () => {
  warehouse = await startPostgresWithPassword()
  await warehouse.execute(`create table sales as select * from (values ('a', 'secret_of_ada'), ('b', 'secret_of_ben')) as made (region, secret);
    alter table sales enable row level security;
    create policy own_region on sales using (region = current_setting('app.region', true))`)
  service = await startTestService('postgres', { agentFetch: agentFetch.fetch })
  server = await startModelServer()
  shop = await service.addOrganization('shop')
  ada = await shop.addPerson('member', 'ada@shop.test')
  ben = await shop.addPerson('member', 'ben@shop.test')
  await admin('PUT', '/app/api/model-settings', { provider: 'openai_compatible', baseUrl: server.url, model: 'scripted-1', apiKey: 'sk-test' })
  const settings = { ...warehouse.place, database: warehouse.database, user: warehouse.user, tls: 'off' }
  const connection = { name: 'Warehouse', engine: 'postgres', settings, password: warehouse.password }
  databaseId = (await admin('POST', '/app/api/databases', connection)).json<{ id: string }>().id
  savedQueriesId = (await admin('POST', '/app/api/databases/saved-queries')).json<{ id: string }>().id
  const rule = { attribute: 'region', automationValue: null }
  const rules = [{ ...rule, kind: 'setting', name: 'app.region' }, { ...rule, kind: 'parameter', name: 'tenant' }]
  await admin('PUT', `/app/api/access/databases/${databaseId}/row-rules`, { rules })
  for (const [person, region] of [[ada, 'a'], [ben, 'b']] as const) {
    await admin('PUT', `/app/api/access/members/${person.caller.userId}/attributes`, { attributes: { region } })
  }
  const sql = 'select secret, {{tenant}} as tenant from sales'
  queryId = (await admin('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId: databaseId })).json<{ id: string }>().id
  const parameters = [{ name: 'tenant', displayName: 'Tenant', type: 'text', defaultValue: 'b', description: '' }]
  shortId = (await admin('POST', '/app/api/references', { queryId, title: 'Sales', parameters })).json<{ shortId: string }>().shortId
  runOfBen = (await endOf(service, shop, ben.page('POST', `/app/api/references/${shortId}/runs`, {}))).id
}, 300_000)
afterAll(async () => {
  await service.stop()
  await server.close()
  await agentFetch.close()
  await warehouse.stop()
})

/** Runs `act` while nobody can read the table. */
async function whileLocked(act: () => Promise<void>): Promise<void> {
  const holder = new pg.Client(warehouse.server.urlOf(warehouse.database))
  await holder.connect()
  try {
    await holder.query('begin; lock table sales in access exclusive mode')
    await act()
  } finally {
    await holder.end()
  }
}

const admin: TestPerson['page'] = async (...request) => {
  const answer = await shop.admin.page(...request)
  expect(answer.statusCode, `${request[0]} ${request[1]}: ${answer.body}`).toBeLessThan(300)
  return answer
}

/** Asks a question, lets the model call the tools, and returns the chat's address and all that the model was sent. */
async function ask(api: TestPerson['api'], attempts: ScriptedCall[], answer: string): Promise<{ address: string; sent: string }> {
  const first = server.requests.length
  server.forget()
  server.script(...attempts.map((attempt) => ({ toolCalls: [attempt] })), { text: answer })
  const asked = await api('POST', '/api/chats', { question: 'What are the secrets of everyone?' })
  expect(asked.statusCode, asked.body).toBe(202)
  const address = `/api/chats/${asked.json<{ shortId: string }>().shortId}`
  await answered(address)
  return { address, sent: JSON.stringify(server.requests.slice(first)) }
}

/** Reads the store, because attempts can hide the chat from those who asked. */
async function answered(address: string): Promise<void> {
  const unfinished = service.services.db
    .selectFrom('agent_runs')
    .innerJoin('chats', 'chats.id', 'agent_runs.chat_id')
    .select('agent_runs.id')
    .where('chats.short_id', '=', address.split('/').at(-1)!)
    .where('agent_runs.status', 'in', ['pending', 'running'])
  while (await unfinished.executeTakeFirst()) await pollPause()
}

/** With a harmless call after every few, because an agent gives up after five failures in a row. */
const interleaved = (attempts: ScriptedCall[]): ScriptedCall[] =>
  attempts.flatMap((attempt, at) => (at % 4 === 3 ? [attempt, runSql(`select ${at} as harmless`)] : [attempt]))

const runSql = (sql: string, of = databaseId): ScriptedCall => ({ name: 'run_sql', input: { databaseId: of, sql } })

interface Step {
  kind: string
  number: number
  status?: string
  sql?: string
}

test('a model cannot read rows of others for a person with row rules', { timeout: 120_000 }, async () => {
  const allowed: ScriptedCall[] = [
    runSql('select secret from sales'),
    runSql(`select secret from sales where region = 'b' or true`),
    runSql(`select secret, {{tenant}} as tenant from sales`),
    { name: 'read_reference', input: { shortId } },
    { name: 'read_reference', input: { shortId, parameterValues: { tenant: 'b' } } },
    { name: 'read_reference', input: { shortId, parameterValues: { TENANT: 'b', tenant: ['b'] } } },
  ]
  const refused: ScriptedCall[] = [
    runSql(`select set_config('app.region', 'b', true), secret from sales`),
    runSql(`with changed as materialized (select set_config('app.region', 'b', false)) select secret from changed, sales`),
    runSql(`set app.region = 'b'`),
    runSql('reset app.region'),
    runSql('reset role'),
    runSql(`set local role "${warehouse.user}"`),
    runSql(`begin; set app.region = 'b'; select secret from sales; commit`),
    runSql(`select query_to_xml('select set_config(''app.region'', ''b'', true)', true, true, ''), secret from sales`),
    runSql(`update pg_settings set setting = 'b' where name = 'app.region'`),
    runSql(`select * from ref('${shortId}', tenant => 'b')`, savedQueriesId),
    runSql(`select * from ref('${shortId}')`, savedQueriesId),
    { name: 'draw_chart', input: { runId: runOfBen, title: 'Theirs' } },
    { name: 'explain_change', input: { shortId, from: '2020-01-01T00:00Z' } },
  ]
  const { address, sent } = await ask(ada.api, [...allowed, ...interleaved(refused)], `The secret is {{${runOfBen}: first(secret)}}, of {{r1: first(secret)}}.`)
  const { messages } = (await ada.api('GET', address)).json<{ messages: Step[] }>()
  const harmful = messages.filter(({ status, sql }) => status !== undefined && !sql?.includes('harmless'))
  expect(harmful.map(({ status }) => status)).toEqual([...allowed.map(() => 'completed'), ...refused.map(() => 'failed')])
  const { number } = messages.find(({ kind }) => kind === 'answer')!
  const seen = [sent]
  for (const path of [address, `${address}/messages/${number}/proof`]) seen.push((await ada.api('GET', path)).body)
  for (const path of [`/app${address}`, '/app/api/chats']) seen.push((await ada.page('GET', path)).body)
  expect(seen.join('\n')).toContain('secret_of_ada')
  expect(seen.join('\n')).not.toContain('secret_of_ben')
  // Proves that there was something to find, and that the chat in turn is none of Ben's.
  expect((await ben.page('GET', `/app/api/runs/${runOfBen}/result`)).body).toContain('secret_of_ben')
  expectRefusal(await ben.api('GET', address), 'chat_not_found')
})

test('people with different bindings who refresh a tile at once each get their own result', { timeout: 120_000 }, async () => {
  const cy = await shop.addPerson('member', 'cy@shop.test')
  await admin('PUT', `/app/api/access/members/${cy.caller.userId}/attributes`, { attributes: { region: 'c' } })
  const query = (await admin('POST', '/app/api/queries', { sql: 'select secret from sales', analyticalDatabaseConfigId: databaseId })).json<{ id: string }>()
  const saved = (await admin('POST', '/app/api/references', { queryId: query.id, title: 'Secrets' })).json<{ shortId: string }>()
  const tiles = [{ kind: 'reference', referenceShortId: saved.shortId, x: 0, y: 0, width: 6, height: 4 }]
  const board = (await admin('POST', '/app/api/boards', { title: 'Secrets', tiles })).json<{ shortId: string }>()
  const people = [ada, ben, cy]
  await whileLocked(async () => {
    for (const person of people) {
      const refreshed = await person.page('POST', `/app/api/boards/${board.shortId}/refresh`, {})
      expect(refreshed.statusCode, refreshed.body).toBe(202)
      expect(refreshed.json<{ tiles: { status: string }[] }>().tiles[0]!.status, person.email).toBe('running')
    }
  })
  async function rowsFor(person: TestPerson): Promise<unknown[][]> {
    for (;;) {
      const [tile] = (await person.page('POST', `/app/api/boards/${board.shortId}/results`, {})).json<{ tiles: { status: string; runId: string }[] }>().tiles
      if (tile!.status === 'ready') return (await person.page('GET', `/app/api/runs/${tile!.runId}/result`)).json<{ rows: unknown[][] }>().rows
      expect(tile!.status).toBe('running')
      await pollPause()
    }
  }
  expect(await Promise.all(people.map(rowsFor))).toEqual([[['secret_of_ada']], [['secret_of_ben']], []])
})

test('a model that answers a key with groups sees what these may see, also if the key’s member is an admin', { timeout: 120_000 }, async () => {
  const group = (await admin('POST', '/app/api/groups', { name: 'Marketing' })).json<{ id: string }>().id
  await admin('PUT', `/app/api/access/databases/${databaseId}`, { levels: [{ groupId: null, level: 'none' }] })
  const { key } = (await admin('POST', '/app/api/api-keys', { name: 'Marketing', scopes: ['read', 'run'], groupIds: [group] })).json<{ key: string }>()
  const api: TestPerson['api'] = (method, url, body) =>
    service.app.inject({ method, url, headers: { authorization: `Bearer ${key}` }, ...(body !== undefined && { payload: body as object }) })
  const attempts: ScriptedCall[] = [
    { name: 'list_tables', input: {} },
    { name: 'search_knowledge', input: { words: 'sales' } },
    { name: 'describe_table', input: { databaseId, table: 'sales' } },
    runSql('select 1'),
    { name: 'read_reference', input: { shortId } },
  ]
  const ofKey = await ask(api, attempts, 'Nothing.')
  const { messages } = (await shop.admin.api('GET', ofKey.address)).json<{ messages: Step[] }>()
  expect(messages.flatMap(({ status }) => status ?? [])).toEqual(['completed', 'completed', 'failed', 'failed', 'failed'])
  const ofAdmin = await ask(shop.admin.api, [{ name: 'list_tables', input: {} }], 'There are sales.')
  expect(ofAdmin.sent).toContain('Warehouse')
  expect(ofKey.sent).not.toMatch(/Warehouse|secret_of/)
  expectRefusal(await api('GET', ofAdmin.address), 'chat_not_found')
  const harmless = await ask(api, [{ name: 'list_tables', input: {} }], 'There are numbers.')
  expect((await api('GET', harmless.address)).body).toContain('There are numbers.')
  expect((await shop.admin.api('GET', harmless.address)).statusCode).toBe(200)
})
