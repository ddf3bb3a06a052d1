import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Script } from '../../../../testing/servers/model-server.ts'
import { type AgentUnderTest, instantClock, openAgentUnderTest, testKey } from '../../../../testing/agents/model-agent-world.ts'

const logged: string[] = []
let agent: AgentUnderTest
beforeAll(async () => {
  const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void logged.push(line) })
  agent = await openAgentUnderTest('postgres', { logger })
})
afterAll(() => agent.stop())

const good: Script = { text: 'All is well.' }

async function run(answers: Script[], options: Parameters<AgentUnderTest['run']>[1] = {}) {
  const clock = instantClock(agent.service.clock)
  return { ...(await agent.run(answers, { clock, ...options })), waitsMs: clock.waitsMs }
}

describe('retries a provider that is temporarily unavailable', () => {
  test('after the time it asks for, in seconds or as a date', async () => {
    const soon = new Date(agent.service.clock.now().getTime() + 20_000).toUTCString()
    const { answer, waitsMs, messages, bodies } = await run([
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after': soon } },
      good,
    ])
    expect(waitsMs).toEqual([7_000, 20_000])
    expect(bodies).toHaveLength(3)
    expect(bodies[2]).toEqual(bodies[0])
    expect(messages).toMatchObject([
      { kind: 'note', text: expect.stringMatching(/is temporarily unavailable \(503\).* Retrying in 20 seconds\.$/) },
      { kind: 'text', text: 'All is well.' },
    ])
    expect(answer).toMatchObject({ summaryMessageNumber: 2, usage: { steps: 1 } })
  })

  test('waiting at most a minute, four tries in all', async () => {
    const busy: Script = { status: 529, headers: { 'retry-after': '3600' }, body: { error: { message: 'Overloaded.' } } }
    const { failure, waitsMs, bodies } = await run([busy, busy, busy, busy])
    expect(waitsMs).toEqual([60_000, 60_000, 60_000])
    expect(bodies).toHaveLength(4)
    expect(failure!.message).toMatch(/is temporarily unavailable \(529\).*The provider says: Overloaded\. Tried 4 times\.$/)
    expect(failure!.usage).toEqual({ inputTokens: 0, outputTokens: 0, steps: 1 })
  })

  test('with growing waits if it does not say', async () => {
    const { answer, waitsMs } = await run([{ status: 500 }, { status: 502 }, { status: 429 }, good])
    expect(answer?.summary).toBe('All is well.')
    for (const [index, least] of [1000, 2000, 4000].entries()) {
      expect(waitsMs[index]).toBeGreaterThanOrEqual(least)
      expect(waitsMs[index]).toBeLessThan(least * 1.5)
    }
  })

  test('if no connection can be made', async () => {
    const { failure, waitsMs } = await run([], { baseUrl: 'http://127.0.0.1:9/v1' })
    expect(waitsMs).toHaveLength(3)
    expect(failure!.message).toMatch(/^Could not connect to the model at 127\.0\.0\.1:9.* Tried 4 times\.$/)
  })
})

describe('repeats an answer that is cut off', () => {
  test.each([
    ['the connection is lost', { cutAfter: 'The first half of ' }],
    ['the stream ends early', { endsAfter: 'The first half of ' }],
  ])('when %s, and discards the first part', async (_, broken) => {
    const { answer, messages, bodies } = await run([broken, good])
    expect(answer?.summary).toBe('All is well.')
    expect(messages).toMatchObject([{ kind: 'text', text: 'All is well.' }])
    expect(bodies[1]).toEqual(bodies[0])
    expect(answer!.usage!.inputTokens).toBeGreaterThan(100)
    expect(answer!.usage!.steps).toBe(1)
  })

  test('twice, then fails the run', async () => {
    const { failure, messages, bodies } = await run([{ cutAfter: 'A first ' }, { cutAfter: 'Another ' }, { cutAfter: 'And again ' }, good])
    expect(bodies).toHaveLength(3)
    expect(failure!.message).toMatch(/^The answer from the model at 127\.0\.0\.1:\d+ was cut off: .* Tried 3 times\.$/)
    expect(messages).toEqual([{ kind: 'note', text: 'The model’s answer was cut off here.' }])
  })
})

describe('fails at once on errors that would recur', () => {
  test.each([
    [400, /rejected the request \(400\)/],
    [401, /rejected the API key.*\(401\)/],
    [403, /rejected the API key.*\(403\)/],
    [404, /no model "scripted-1" \(404\)/],
  ])("%i, with the provider's message and without the key", async (status, reason) => {
    const body = { error: { message: `It is about ${testKey} here.` } }
    const { failure, waitsMs, bodies } = await run([{ status, body }])
    expect(failure!.message).toMatch(reason)
    expect(failure!.message).toContain('The provider says: It is about [the key] here.')
    expect(waitsMs).toEqual([])
    expect(bodies).toHaveLength(1)
  })

  test.each([
    ['a page', { raw: '<html>Welcome</html>', contentType: 'text/html' }],
    ['an answer that is not streamed', { raw: '{"choices":[]}', contentType: 'application/json' }],
    ['broken JSON', { raw: 'data: {"choices": [}\n\n', contentType: 'text/event-stream' }],
    ['something else', { raw: 'data: {"hello": "world"}\n\n', contentType: 'text/event-stream' }],
    ['nothing', { raw: '', contentType: 'text/event-stream' }],
    ['too much data', { raw: `data: ${'x'.repeat(17 * 1024 * 1024)}`, contentType: 'text/event-stream' }],
  ])('a server that answers with %s', async (_, answer) => {
    const { failure, bodies } = await run([answer])
    expect(failure!.message).toMatch(/^The response from 127\.0\.0\.1:\d+ does not match the provider’s format: /)
    expect(failure!.message).toMatch(/Check the provider and the base URL\.$/)
    expect(bodies).toHaveLength(1)
  })

  test('a redirect', async () => {
    const { failure } = await run([{ status: 307, headers: { location: `${agent.server.url}/elsewhere` } }])
    expect(failure!.message).toMatch(/redirect \(307\)\. Use the address it redirects to\./)
  })

  test('an address that the operator has not allowed', async () => {
    const { failure, waitsMs } = await run([], { baseUrl: 'http://10.0.0.1/v1' })
    expect(failure!.message).toMatch(/^The request to the model at 10\.0\.0\.1 failed: .*AGENT_ALLOWED_NETWORKS/)
    expect(waitsMs).toEqual([])
  })
})

test('stopping the run abandons a model that never answers', async () => {
  const stopped = new AbortController()
  const before = agent.server.requests.length
  const running = agent.run(['hang'], { task: { signal: stopped.signal } })
  await agent.server.seen(before + 1)
  stopped.abort(new Error('stopped'))
  await expect(running).rejects.toThrow('stopped')
})

test('logs one line per step, and never a prompt, an answer or a key', async () => {
  logged.length = 0
  await run([{ text: 'Let me see.', toolCalls: [{ name: 'list_tables', input: {} }] }, good])
  await run([{ status: 400, body: { error: { message: `no ${testKey}` } } }])
  const lines = logged.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).startsWith('model step'))
  const common = { agentRunId: 'arun_test', provider: 'openai_compatible', model: 'scripted-1', durationMs: 0 }
  const used = { msg: 'model step', inputTokens: 100, outputTokens: 20, tries: 1 }
  expect(lines).toMatchObject([
    { ...common, ...used, step: 1, finishReason: 'tool-calls', toolCalls: 1 },
    { ...common, ...used, step: 2, finishReason: 'stop', toolCalls: 0 },
    { ...common, msg: 'model step failed', step: 1 },
  ])
  for (const secret of [testKey, 'Look at the numbers', 'data analyst', 'All is well', 'Let me see']) {
    expect(logged.join('')).not.toContain(secret)
  }
})
