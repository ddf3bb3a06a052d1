import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Script } from '../../../../testing/servers/model-server.ts'
import { type AgentUnderTest, hastyClock, openAgentUnderTest, testKey } from '../../../../testing/agents/model-agent-world.ts'

const logged: string[] = []
let agent: AgentUnderTest
beforeAll(async () => {
  const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void logged.push(line) })
  agent = await openAgentUnderTest('postgres', { logger })
})
afterAll(() => agent.stop())

const good: Script = { text: 'All is well.' }

async function run(answers: Script[], options: Parameters<AgentUnderTest['run']>[1] = {}) {
  const clock = hastyClock(agent.service.clock)
  return { ...(await agent.run(answers, { clock, ...options })), waitsMs: clock.waitsMs }
}

describe('a provider that cannot answer for now is asked again', () => {
  test('when it says, in seconds or as a date', async () => {
    const soon = new Date(agent.service.clock.now().getTime() + 20_000).toUTCString()
    const { answer, waitsMs, messages, bodies } = await run([
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after': soon } },
      good,
    ])
    expect(waitsMs).toEqual([7_000, 20_000])
    expect(bodies).toHaveLength(3)
    expect(bodies[2]).toEqual(bodies[0])
    expect(messages).toEqual([
      { kind: 'note', text: expect.stringMatching(/cannot answer at the moment \(503\).* It is asked again in 20 seconds\.$/) },
      { kind: 'text', text: 'All is well.' },
    ])
    expect(answer).toMatchObject({ summaryMessageNumber: 2, usage: { steps: 1 } })
  })

  test('but not longer than a minute from now, and four times in all', async () => {
    const busy: Script = { status: 529, headers: { 'retry-after': '3600' }, body: { error: { message: 'Overloaded.' } } }
    const { failure, waitsMs, bodies } = await run([busy, busy, busy, busy])
    expect(waitsMs).toEqual([60_000, 60_000, 60_000])
    expect(bodies).toHaveLength(4)
    expect(failure!.message).toMatch(/cannot answer at the moment \(529\).*It says: Overloaded\. It was tried 4 times\.$/)
    expect(failure!.usage).toEqual({ inputTokens: 0, outputTokens: 0, steps: 1 })
  })

  test('after waits that grow where it does not say', async () => {
    const { answer, waitsMs } = await run([{ status: 500 }, { status: 502 }, { status: 429 }, good])
    expect(answer?.summary).toBe('All is well.')
    for (const [index, least] of [1000, 2000, 4000].entries()) {
      expect(waitsMs[index]).toBeGreaterThanOrEqual(least)
      expect(waitsMs[index]).toBeLessThan(least * 1.5)
    }
  })

  test('where no connection can be made', async () => {
    const { failure, waitsMs } = await run([], { baseUrl: 'http://127.0.0.1:9/v1' })
    expect(waitsMs).toHaveLength(3)
    expect(failure!.message).toMatch(/^No connection could be made to the model at 127\.0\.0\.1:9.* It was tried 4 times\.$/)
  })
})

describe('an answer that breaks off is asked for again', () => {
  test.each([
    ['the connection is lost', { cutAfter: 'The first half of ' }],
    ['it ends too early', { endsAfter: 'The first half of ' }],
  ])('when %s; what came of it counts for nothing', async (_, broken) => {
    const { answer, messages, bodies } = await run([broken, good])
    expect(answer?.summary).toBe('All is well.')
    expect(messages).toEqual([{ kind: 'text', text: 'All is well.' }])
    expect(bodies[1]).toEqual(bodies[0])
    expect(answer!.usage!.inputTokens).toBeGreaterThan(100)
    expect(answer!.usage!.steps).toBe(1)
  })

  test('twice; then the run has failed', async () => {
    const { failure, messages, bodies } = await run([{ cutAfter: 'One' }, { cutAfter: 'Two' }, { cutAfter: 'Three' }, good])
    expect(bodies).toHaveLength(3)
    expect(failure!.message).toMatch(/^The answer of the model at 127\.0\.0\.1:\d+ broke off: .* It was tried 3 times\.$/)
    expect(messages).toEqual([{ kind: 'note', text: 'The model’s answer broke off here.' }])
  })
})

describe('what would fail again fails at once', () => {
  test.each([
    [400, /refused the request \(400\)/],
    [401, /key was refused.*\(401\)/],
    [403, /key was refused.*\(403\)/],
    [404, /no model "scripted-1" \(404\)/],
  ])('%i, with what the provider says and without the key', async (status, reason) => {
    const body = { error: { message: `It is about ${testKey} here.` } }
    const { failure, waitsMs, bodies } = await run([{ status, body }])
    expect(failure!.message).toMatch(reason)
    expect(failure!.message).toContain('It says: It is about [the key] here.')
    expect(waitsMs).toEqual([])
    expect(bodies).toHaveLength(1)
  })

  test.each([
    ['a page', { raw: '<html>Welcome</html>', contentType: 'text/html' }],
    ['an answer that is not streamed', { raw: '{"choices":[]}', contentType: 'application/json' }],
    ['broken JSON', { raw: 'data: {"choices": [}\n\n', contentType: 'text/event-stream' }],
    ['something else', { raw: 'data: {"hello": "world"}\n\n', contentType: 'text/event-stream' }],
    ['nothing', { raw: '', contentType: 'text/event-stream' }],
    ['more than anybody wants', { raw: `data: ${'x'.repeat(17 * 1024 * 1024)}`, contentType: 'text/event-stream' }],
  ])('a server that answers %s', async (_, answer) => {
    const { failure, bodies } = await run([answer])
    expect(failure!.message).toMatch(/^What 127\.0\.0\.1:\d+ answers is not what a model of this kind answers: /)
    expect(failure!.message).toMatch(/Check the provider and the base URL\.$/)
    expect(bodies).toHaveLength(1)
  })

  test('a redirect', async () => {
    const { failure } = await run([{ status: 307, headers: { location: `${agent.server.url}/elsewhere` } }])
    expect(failure!.message).toMatch(/redirect \(307\)\. Use the address it leads to\./)
  })

  test('an address that the operator has not allowed', async () => {
    const { failure, waitsMs } = await run([], { baseUrl: 'http://10.0.0.1/v1' })
    expect(failure!.message).toMatch(/^The model at 10\.0\.0\.1 could not be asked: .*AGENT_ALLOWED_NETWORKS/)
    expect(waitsMs).toEqual([])
  })
})

test('a model that never answers is left when the run is stopped', async () => {
  const stopped = new AbortController()
  const before = agent.server.requests.length
  const running = agent.run(['hang'], { task: { signal: stopped.signal } })
  await agent.server.seen(before + 1)
  stopped.abort(new Error('stopped'))
  await expect(running).rejects.toThrow('stopped')
})

test('a step is one line in the log; no prompt, no answer and no key is ever logged', async () => {
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
