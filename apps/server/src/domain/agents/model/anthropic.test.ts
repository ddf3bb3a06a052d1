import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AgentUnderTest, instantClock, openAgentUnderTest, testKey } from '../../../../testing/agents/model-agent-world.ts'

let agent: AgentUnderTest
beforeAll(async () => {
  agent = await openAgentUnderTest()
})
afterAll(() => agent.stop())

const provider = 'anthropic'

test("calls tools and returns their answers in Anthropic's format", async () => {
  const { databaseId } = agent.shop
  const { answer, messages, bodies } = await agent.run(
    [
      { text: 'I count.', toolCalls: [{ name: 'run_sql', input: { databaseId, sql: 'select count(*) as c from numbers' } }] },
      { toolCalls: [{ name: 'list_tables', input: '' }, { name: 'run_sql', input: '{"sql": ' }] },
      { text: 'There are {{r1: c}} numbers.' },
    ],
    { provider },
  )
  const step = messages.find((message) => message.kind === 'query_run')!
  const summary = `There are [10](https://querypost.test/runs/${step.runId}) numbers.`
  expect(answer).toMatchObject({
    summary,
    figures: [{ text: '10', isProven: true, value: '10', runId: step.runId, expression: 'c' }],
    sources: [{ runId: step.runId, sql: 'select count(*) as c from numbers' }],
    summaryMessageNumber: 5,
    usage: { inputTokens: 300, outputTokens: 60, steps: 3 },
  })
  expect(messages).toMatchObject([
    { kind: 'text', text: 'I count.' },
    { kind: 'query_run', status: 'completed', preview: { rows: [[10]] } },
    { kind: 'tool_call', tool: 'list_tables', status: 'completed' },
    { kind: 'tool_call', tool: 'run_sql', status: 'failed' },
    { kind: 'text', text: summary },
  ])
  const { path, headers } = agent.server.requests.at(-1)!
  expect(path).toBe('/v1/messages')
  expect(headers['x-api-key']).toBe(testKey)
  expect(bodies[0]).toMatchObject({ model: 'scripted-1', max_tokens: 8192, stream: true })
  expect(JSON.stringify(bodies)).not.toContain(testKey)
  expect(bodies[1].messages.at(-1)).toMatchObject({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: expect.stringContaining('<untrusted_data>') }],
  })
  expect(bodies[2].messages.at(-1).content).toMatchObject([{ type: 'tool_result' }, { type: 'tool_result', is_error: true }])
})

test('retries when the provider is overloaded or cuts off its answer', async () => {
  const clock = instantClock(agent.service.clock)
  const body = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const busy = { status: 529, headers: { 'retry-after': '3' }, body }
  const { answer } = await agent.run([busy, { cutAfter: 'Half' }, { text: 'Whole.' }], { provider, clock })
  expect(answer?.summary).toBe('Whole.')
  expect(clock.waitsMs[0]).toBe(3_000)
})

test('treats an error in the middle of the stream as a failure', async () => {
  const error = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
  const raw = `event: error\ndata: ${error}\n\n`
  const { answer } = await agent.run([{ raw, contentType: 'text/event-stream' }, { text: 'Whole.' }], {
    provider,
    clock: instantClock(agent.service.clock),
  })
  expect(answer?.summary).toBe('Whole.')
})

test("a rejected key fails the run with Anthropic's message", async () => {
  const body = { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }
  const { failure } = await agent.run([{ status: 401, body }], { provider })
  expect(failure!.message).toMatch(/rejected the API key \(401\).* The provider says: invalid x-api-key\./)
})

test("without a key in the settings, none is taken from the operator's environment", async () => {
  process.env['ANTHROPIC_API_KEY'] = 'sk-of-the-operator'
  try {
    await agent.run([{ text: 'Fine.' }], { provider, apiKey: null })
    expect(JSON.stringify(agent.server.requests.at(-1)!.headers)).not.toContain('sk-of-the-operator')
  } finally {
    delete process.env['ANTHROPIC_API_KEY']
  }
})
