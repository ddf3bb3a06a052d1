import type { Progress } from '@modelcontextprotocol/sdk/types.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failPendingRun } from '../../store/runs/end-run.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { connect, listenAt, type TestClient } from '../../../testing/http/mcp-client.ts'
import { tools } from '../mcp/tools.ts'
import { beginOldest, setUpModel } from '../../../testing/http/chat-requests.ts'
import { createAutomation } from '../../../testing/http/automation-requests.ts'
import { expectRefusal, unknownShortId, storeQuery, storeReference } from '../../../testing/http/requests.ts'

/**
 * The `/mcp` route itself: authentication, message format and waiting. The query routes are retired, which must not affect it. No worker
 * is running, so runs stay pending until a test ends them.
 */
let service: TestService
let shop: TestOrganization
let bank: TestOrganization
beforeAll(async () => {
  service = await startTestService('postgres', { worker: false, queryApi: { state: 'retired', sunset: null } })
  shop = await service.addOrganization('shop')
  bank = await service.addOrganization('bank')
})
afterAll(() => service.stop())

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params })
const list = message('tools/list')
const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

function post(payload: unknown, headers: Record<string, string> = {}, key = shop.admin.apiKey) {
  const authorization = key === '' ? {} : { authorization: `Bearer ${key}` }
  return service.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...usual, ...authorization, ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })
}

type Answer = Awaited<ReturnType<typeof post>>

/** Rejected before a message was processed. */
function expectProtocolError(answer: Answer, status: number, error: { code: number; data?: object }) {
  expect(answer.json()).toEqual({ jsonrpc: '2.0', id: null, error: expect.anything() })
  expect(answer.json().error).toMatchObject({ ...error, message: expect.stringMatching(/\S/) })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toContain('application/json')
  expect(answer.headers['x-request-id']).toMatch(/^req_/)
}

const called = async (key: string, name: string, input: object) => {
  const answer = await post(message('tools/call', { name, arguments: input }), {}, key)
  expect(answer.statusCode, answer.body).toBe(200)
  const { result } = answer.json<{ result: { isError?: boolean; content: { text: string }[] } }>()
  const content = JSON.parse(result.content[0]!.text) as { code?: string; items?: object[] }
  return { isError: result.isError === true, ...content }
}

describe('without a key', () => {
  test.each(['GET', 'POST', 'DELETE'] as const)('%s returns 401', async (method) => {
    for (const authorization of ['', 'Bearer nonsense', `Basic ${shop.admin.apiKey}`]) {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
      const payload = method === 'POST' ? { payload: list } : {}
      const answer = await service.app.inject({ method, url: '/mcp', headers, ...payload })
      expectProtocolError(answer, 401, { code: -32000, data: { code: 'unauthenticated' } })
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    }
  })

  test('a session cookie does not authenticate', async () => {
    const answer = await service.app.inject({ method: 'POST', url: '/mcp', cookies: shop.admin.session, payload: list })
    expect(answer.statusCode).toBe(401)
  })

  test('a revoked key is rejected at once', async () => {
    const { id, key } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'for a while' })).json()
    expect((await post(list, {}, key)).statusCode).toBe(200)
    expect((await shop.admin.page('DELETE', `/app/api/api-keys/${id}`)).statusCode).toBe(204)
    expectProtocolError(await post(list, {}, key), 401, { code: -32000, data: { code: 'unauthenticated' } })
  })
})

describe('the form of a request', () => {
  test('answers a message as JSON without prior initialization', async () => {
    const answer = await post(list)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.headers['mcp-session-id']).toBeUndefined()
    expect(answer.json()).toMatchObject({ jsonrpc: '2.0', id: 7, result: { tools: expect.any(Array) } })
  })

  test('answers a client that asks for progress with a stream', async () => {
    const params = { name: 'list_databases', arguments: {}, _meta: { progressToken: 1 } }
    const answer = await post(message('tools/call', params))
    expect(answer.headers['content-type']).toBe('text/event-stream')
    expect(answer.headers['x-accel-buffering']).toBe('no')
    const [data] = answer.body.match(/^data: .*$/m)!
    const result = { structuredContent: { items: [{ id: shop.databaseId }] } }
    expect(JSON.parse(data.slice('data: '.length))).toMatchObject({ id: 7, result })
  })

  test('initialization negotiates a protocol version', async () => {
    const greet = (protocolVersion: string) =>
      post(message('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }))
    expect((await greet('2025-06-18')).json().result.protocolVersion).toBe('2025-06-18')
    expect((await greet('2999-01-01')).json().result.protocolVersion).toBe('2025-11-25')
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).statusCode).toBe(202)
  })

  test('rejects an unknown protocol version', async () => {
    expectProtocolError(await post(list, { 'mcp-protocol-version': '2999-01-01' }), 400, { code: -32000 })
    expect((await post(list, { 'mcp-protocol-version': '2025-06-18' })).statusCode).toBe(200)
  })

  test('accepts clients that accept anything, and rejects those that accept neither content type', async () => {
    expect((await post(list, { accept: '*/*' })).statusCode).toBe(200)
    expectProtocolError(await post(list, { accept: 'text/html' }), 406, { code: -32000 })
  })

  test.each<[unknown, number, number, string]>([
    ['{"jsonrpc": ', 400, -32700, 'invalid_request'],
    ['', 400, -32700, 'invalid_request'],
    ['7', 400, -32600, 'invalid_request'],
    [[list, list], 400, -32600, 'invalid_request'],
    [message('tools/call', { name: 'nul \0' }), 400, -32600, 'invalid_request'],
    ['x'.repeat(1024 * 1024 + 1), 413, -32000, 'body_too_large'],
  ])('rejects unreadable bodies (%#)', async (body, status, code, refusal) => {
    expectProtocolError(await post(body), status, { code, data: { code: refusal } })
  })

  test('rejects invalid messages', async () => {
    expectProtocolError(await post({ hello: 'there' }), 400, { code: -32700 })
    expect((await post(message('tools/unknown'))).json().error).toMatchObject({ code: -32601 })
    expect((await post(message('tools/call', { name: 7 }))).json().error).toMatchObject({ code: -32602 })
    const name = 'get_run'
    for (const params of [{ name, arguments: [] }, { name, arguments: 'run_1' }, { name: null }, {}]) {
      const answer = await post(message('tools/call', params))
      const error = { code: -32602, message: expect.stringMatching(/not valid: params/) }
      expect(answer.json()).toMatchObject({ id: 7, error })
    }
    expect((await post(message('resources/read', { uri: 7 }))).json().error).toMatchObject({ code: -32602 })
    expect((await post(message('initialize'))).json().error).toMatchObject({ code: -32602 })
  })

  test('requires JSON as content type', async () => {
    const answer = await post(JSON.stringify(list), { 'content-type': 'text/plain' })
    expectProtocolError(answer, 400, { code: -32700, data: { code: 'invalid_request' } })
  })

  test.each(['GET', 'DELETE'] as const)('%s is not allowed, because there are no streams and no sessions', async (method) => {
    const headers = { authorization: `Bearer ${shop.admin.apiKey}`, accept: 'text/event-stream' }
    const answer = await service.app.inject({ method, url: '/mcp', headers })
    expectProtocolError(answer, 405, { code: -32000 })
    expect(answer.headers['allow']).toBe('POST')
  })

  test('rejects pages of other sites, even after DNS rebinding', async () => {
    for (const origin of ['https://evil.example', 'http://querypost.test', 'null']) {
      const answer = await post(list, { origin, host: 'evil.example' })
      expectProtocolError(answer, 403, { code: -32000, data: { code: 'forbidden' } })
    }
    expect((await post(list, { origin: 'https://querypost.test' })).statusCode).toBe(200)
  })

  test('is not part of the OpenAPI document', async () => {
    expectRefusal(await shop.admin.api('GET', '/api/queries'), 'route_retired')
    expect(Object.keys((await service.app.inject('/api/openapi.json')).json().paths)).not.toContain('/mcp')
  })
})

test('objects of one organization do not exist for another', async () => {
  const query = await storeQuery(bank, 'select 1')
  const { shortId } = await storeReference(bank, query.id, { title: 'Of the bank' })
  const automation = await createAutomation(bank, { references: [shortId] })
  const automationRun = (await bank.admin.page('POST', `/app/api/automations/${automation.id}/runs`)).json()
  const run = (await bank.admin.page('POST', `/app/api/queries/${query.id}/runs`)).json()
  const board = (await bank.admin.page('POST', '/app/api/boards', { title: 'Savings' })).json()
  const ofBank: [string, object, string][] = [
    ['read_board', { shortId: board.shortId }, 'board_not_found'],
    ['refresh_board', { shortId: board.shortId, waitSeconds: 0 }, 'board_not_found'],
    ['get_reference', { shortId }, 'reference_not_found'],
    ['get_lineage', { shortId }, 'reference_not_found'],
    ['run_reference', { shortId, waitSeconds: 0 }, 'reference_not_found'],
    ['read_result', { shortId }, 'reference_not_found'],
    ['read_result', { queryId: query.id }, 'query_not_found'],
    ['read_result', { runId: run.id }, 'run_not_found'],
    ['get_query', { queryId: query.id }, 'query_not_found'],
    ['get_run', { runId: run.id }, 'run_not_found'],
    ['stop_run', { runId: run.id }, 'run_not_found'],
    ['start_automation', { automationId: automation.id }, 'automation_not_found'],
    ['get_automation_run', { automationRunId: automationRun.id }, 'automation_run_not_found'],
    ['ask', { chat: automationRun.chatShortId, question: 'Why?', waitSeconds: 0 }, 'chat_not_found'],
    ['ask', { analyticalDatabaseConfigId: bank.databaseId, question: 'Why?', waitSeconds: 0 }, 'database_not_found'],
    ['read_chat', { chat: automationRun.chatShortId }, 'chat_not_found'],
    ['list_tables', { analyticalDatabaseConfigId: bank.databaseId }, 'database_not_found'],
    ['describe_table', { analyticalDatabaseConfigId: bank.databaseId, table: 'numbers' }, 'database_not_found'],
  ]
  const busy = ['query_already_running', 'result_not_available', 'automation_already_running', 'model_not_configured']
  for (const [tool, input, code] of ofBank) {
    expect(await called(shop.admin.apiKey, tool, input), tool).toMatchObject({ isError: true, code })
    const { code: toOwner } = await called(bank.admin.apiKey, tool, input)
    // Ensures that the line above does not pass because of a wrong id.
    expect([undefined, ...busy], tool).toContain(toOwner)
  }
  for (const tool of ['list_references', 'list_queries', 'list_automations', 'list_boards']) {
    expect((await called(shop.admin.apiKey, tool, {})).items, tool).toEqual([])
    expect((await called(bank.admin.apiKey, tool, {})).items, tool).toHaveLength(1)
  }
  expect((await called(bank.admin.apiKey, 'list_databases', {})).items).toMatchObject([{ id: bank.databaseId }])
  const { result } = (await post(message('resources/list'))).json()
  expect(result).toEqual({ resources: [] })
  const read = await post(message('resources/read', { uri: `querypost://references/${shortId}` }))
  expect(read.json().error).toMatchObject({ code: -32002, data: { code: 'reference_not_found' } })
})

test('asks a question, and reads the answer once there is one', async () => {
  const asker = shop.admin.apiKey
  expect(await called(asker, 'ask', { question: 'How many?' })).toMatchObject({ isError: true, code: 'model_not_configured' })
  await setUpModel(service, shop)
  const asked = await called(asker, 'ask', { question: 'How many orders?', waitSeconds: 0 })
  const { shortId } = asked as unknown as { shortId: string }
  expect(asked).toMatchObject({
    title: 'How many orders?',
    status: 'answering',
    exchanges: [{ question: 'How many orders?', steps: [], answer: null, failure: null }],
    url: `https://querypost.test/chats/${shortId}`,
    next: expect.stringContaining(`read_chat with chat ${shortId}`),
  })
  const again = { chat: shortId, question: 'And today?', waitSeconds: 0 }
  expect(await called(asker, 'ask', again)).toMatchObject({ isError: true, code: 'chat_already_answering' })
  const agent = await beginOldest(service, shop)
  for (let step = 1; step <= 12; step++) await agent.chat.add({ kind: 'note', text: `Step ${step}` })
  await agent.end({ status: 'completed', answer: { summary: 'Ten.' } })
  const steps = Array.from({ length: 10 }, (_, index) => `Step ${index + 3}`)
  const first = { question: 'How many orders?', steps, answer: 'Ten.', failure: null }
  expect(await called(asker, 'read_chat', { chat: shortId, waitSeconds: 45 })).toMatchObject({ status: 'idle', exchanges: [first] })
  expect(await called(asker, 'ask', again)).toMatchObject({ exchanges: [{ question: 'And today?', answer: null }] })
  await (await beginOldest(service, shop)).end({ status: 'failed', reason: 'It broke.' })
  expect(await called(asker, 'read_chat', { chat: shortId })).toMatchObject({ exchanges: [first, { failure: 'It broke.' }] })
})

test('shows and calls only the tools that the scopes of a key allow', async () => {
  const created = await shop.admin.page('POST', '/app/api/api-keys', { name: 'reader', scopes: ['read:queries'] })
  const { key } = created.json<{ key: string }>()
  const { tools } = (await post(list, {}, key)).json<{ result: { tools: { name: string }[] } }>().result
  const names = tools.map(({ name }) => name)
  expect(names).toContain('read_result')
  expect(names).not.toContain('run_reference')
  expect(await called(key, 'start_automation', {})).toMatchObject({ isError: true, code: 'scope_missing' })
})

test('records the use of a key, as for every other route', async () => {
  const { id, key } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'An assistant' })).json()
  await post(list, {}, key)
  await post(list, { origin: 'https://evil.example' }, key)
  await service.services.keyUse.flush()
  const { items } = (await shop.admin.page('GET', '/app/api/audit-log/key-use')).json<{ items: { id: string }[] }>()
  expect(items.find((each) => each.id === id)).toMatchObject({ name: 'An assistant', routes: [{ route: 'POST /mcp' }] })
})

test('whatever the input, a tool returns an answer or an error', async () => {
  const hostile = ['', ' ', "'; drop table runs; --", '../../etc/passwd', '%', '\u202e', '🦆', 'run_x', 'a:* & !']
  const value = fc.oneof(
    fc.constantFrom<unknown>(...hostile, unknownShortId, null, true, -1, 0, 1.5, 2 ** 60),
    fc.constantFrom<unknown>([], {}, ['__proto__'], { a: { b: [] } }),
    fc.string({ maxLength: 20 }),
    fc.integer(),
  )
  for (const { name, input } of tools) {
    const names = Object.keys(input.properties)
    const given = fc.dictionary(fc.constantFrom(...names, ...names, 'unknown'), value, { maxKeys: names.length + 1 })
    for (const each of fc.sample(given, { seed: 7, numRuns: 12 })) {
      // Do not wait for runs that no worker executes.
      const waiting = 'waitSeconds' in each ? { waitSeconds: 0 } : {}
      const answer = await post(message('tools/call', { name, arguments: { ...each, ...waiting } }))
      const { result } = answer.json<{ result?: { content: { text: string }[]; isError?: boolean } }>()
      const what = `${name} ${JSON.stringify(each)}: ${answer.body}`
      expect(result, what).toBeDefined()
      const shape = result!.isError ? { type: 'invalid_request' } : {}
      expect(JSON.parse(result!.content[0]!.text), what).toMatchObject(shape)
    }
  }
})

test('an internal error shows no details', async () => {
  const { findReference } = service.services
  service.services.findReference = () => Promise.reject(new Error('the disk is on fire'))
  const input = { name: 'get_reference', arguments: { shortId: unknownShortId } }
  const answer = await post(message('tools/call', input))
  service.services.findReference = findReference
  expect(answer.json().error).toMatchObject({ code: -32603, data: { code: 'internal_error', type: 'api_error' } })
  expect(answer.json().error.message).toContain(answer.headers['x-request-id'])
  expect(answer.body).not.toContain('fire')
})

describe('waiting', () => {
  let cafe: TestOrganization
  let url: string
  let assistant: TestClient
  beforeAll(async () => {
    countWaiters(service.services)
    cafe = await service.addOrganization('cafe')
    url = await listenAt(service.app)
    assistant = await connect(url, cafe.admin.apiKey)
  })
  afterAll(() => assistant.client.close())

  interface RunAnswer {
    id: string
    status: string
    failureReason: string | null
    next: string
  }

  async function reference(sql = 'select 1'): Promise<string> {
    return (await storeReference(cafe, (await storeQuery(cafe, sql)).id)).shortId
  }

  async function pendingRun(): Promise<RunAnswer> {
    return assistant.call<RunAnswer>('run_reference', { shortId: await reference(), waitSeconds: 0 })
  }

  /** Advances the clock until it resolves. */
  async function asTimePasses<Answer>(waiting: Promise<Answer>, { stepMs = 1000 } = {}): Promise<Answer> {
    const over = new AbortController()
    void waiting.finally(() => over.abort()).catch(() => {})
    while (!over.signal.aborted) {
      await pollPause()
      await service.clock.advance(stepMs)
    }
    return waiting
  }

  /** Number of requests that wait for the end of a run. */
  let waiters = 0
  function countWaiters({ runEnds }: TestService['services']): void {
    const { wait } = runEnds
    runEnds.wait = async (runId, signal) => {
      waiters++
      return wait(runId, signal).finally(() => waiters--)
    }
  }

  async function isWaiting(): Promise<void> {
    while (waiters === 0) await pollPause()
  }

  async function fail(runId: string): Promise<void> {
    await failPendingRun(service.services.db, { runId, reason: 'It had to end.', now: service.clock.now() })
    service.services.wakeups.wake('run_ends')
  }

  test('returns a run that takes longer than the wait, to be polled again', async () => {
    const shortId = await reference()
    const run = await asTimePasses(assistant.call<RunAnswer>('run_reference', { shortId, waitSeconds: 5 }))
    expect(run).toMatchObject({
      status: 'pending',
      result: null,
      next: `It has not ended. Use get_run with runId ${run.id} and waitSeconds to wait for it, or stop_run to stop it.`,
    })
    const asked = assistant.call('get_run', { runId: run.id, waitSeconds: 2 })
    expect(await asTimePasses(asked)).toMatchObject({ status: 'pending' })
  })

  test('a waiting request learns of the end at once, without polling', async () => {
    const { id: runId } = await pendingRun()
    const waiting = assistant.call('get_run', { runId, waitSeconds: 45 })
    await isWaiting()
    await fail(runId)
    expect(await waiting).toMatchObject({ status: 'failed', failureReason: 'It had to end.' })
  })

  test('reports progress to clients that ask for it', async () => {
    const { id: runId } = await pendingRun()
    const reports: Progress[] = []
    const onprogress = (progress: Progress) => {
      reports.push(progress)
      if (reports.length === 3) void fail(runId)
    }
    const waiting = assistant.call('get_run', { runId, waitSeconds: 45 }, { onprogress })
    // In small steps, so that each poll has time left.
    expect(await asTimePasses(waiting, { stepMs: 100 })).toMatchObject({ status: 'failed' })
    expect(reports.length).toBeGreaterThanOrEqual(3)
    expect(reports.map(({ progress }) => progress)).toEqual(reports.map((_, index) => index + 1))
    expect(new Set(reports.map(({ message }) => message))).toEqual(new Set(['pending']))
  })

  test('a query has one run at a time, and the error names it', async () => {
    const shortId = await reference()
    const { id } = await assistant.call<RunAnswer>('run_reference', { shortId, waitSeconds: 0 })
    const refused = await assistant.refusal('run_reference', { shortId })
    expect(refused).toMatchObject({ code: 'query_already_running', message: expect.stringContaining(`${id}. Use get_run`) })
  })

  test('a run can be stopped', async () => {
    const { id: runId } = await pendingRun()
    const stopped = await assistant.call<RunAnswer>('stop_run', { runId })
    expect(stopped).toMatchObject({ status: 'failed', failureReason: 'Stopped by admin before it started.' })
  })

  test('a disconnect ends the wait, not the run', async () => {
    const { id: runId } = await pendingRun()
    const giving = new AbortController()
    const waiting = fetch(url, {
      method: 'POST',
      signal: giving.signal,
      headers: { authorization: `Bearer ${cafe.admin.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_run', arguments: { runId, waitSeconds: 45 } },
      }),
    })
    await isWaiting()
    giving.abort()
    await expect(waiting).rejects.toThrow(/abort/)
    while (waiters > 0) await pollPause()
    expect(await assistant.call('get_run', { runId })).toMatchObject({ status: 'pending' })
  })

  test('a canceled request gets no response, and the next one works', async () => {
    const { id: runId } = await pendingRun()
    const cancelling = new AbortController()
    const waiting = assistant.result('get_run', { runId, waitSeconds: 45 }, { signal: cancelling.signal })
    await isWaiting()
    cancelling.abort('no longer wanted')
    await expect(waiting).rejects.toThrow('no longer wanted')
    expect(await assistant.call('get_run', { runId })).toMatchObject({ status: 'pending' })
    await fail(runId)
    while (waiters > 0) await pollPause()
  })

  test('can wait for automation runs too', async () => {
    const { id: automationId } = await createAutomation(cafe, { references: [await reference()] })
    const { id: automationRunId } = await assistant.call<RunAnswer>('start_automation', { automationId })
    const waiting = assistant.call('get_automation_run', { automationRunId, waitSeconds: 2 })
    expect(await asTimePasses(waiting)).toMatchObject({ status: 'pending', endedAt: null, summary: null })
    expect(await assistant.refusal('start_automation', { automationId })).toMatchObject({
      code: 'automation_already_running',
      hint: expect.stringContaining('get_automation_run'),
    })
  })

  /** Must be last: no request is served afterwards. */
  test('a stopping process ends all waits', async () => {
    const { id: runId } = await pendingRun()
    const waiting = assistant.call('get_run', { runId, waitSeconds: 45 })
    await isWaiting()
    await service.app.close()
    expect(await waiting).toMatchObject({ status: 'pending' })
  })
})
