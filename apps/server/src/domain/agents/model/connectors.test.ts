import { afterAll, beforeAll, expect, test } from 'vitest'
import { type McpServer, startMcpServer } from '../../../../testing/servers/mcp-server.ts'
import { type AgentUnderTest, lastToolAnswer, openAgentUnderTest } from '../../../../testing/agents/model-agent-world.ts'

let agent: AgentUnderTest
let crm: McpServer
beforeAll(async () => {
  agent = await openAgentUnderTest()
  crm = await startMcpServer({ token: 'crm-token' })
  const headers = { Authorization: 'Bearer crm-token' }
  for (const connector of [
    { name: 'CRM', url: crm.url, headers },
    { name: 'Gone', url: 'http://127.0.0.1:9/mcp' },
  ]) {
    await agent.shop.admin.page('POST', '/app/api/data-connectors', connector)
  }
})
afterAll(async () => {
  await agent.stop()
  await crm.close()
})

test('offers the tools of data connectors to the model, and notes a connector that cannot be reached', async () => {
  let failing = ''
  const { answer, messages, bodies } = await agent.run([
    ({ body }) => {
      const names = body.tools.map((tool: { function: { name: string } }) => tool.function.name) as string[]
      failing = names.find((name) => name.includes('failing'))!
      const name = names.find((each) => each.includes('lookup'))!
      return { toolCalls: [{ name, input: { email: 'ada@example.com' } }] }
    },
    () => ({ toolCalls: [{ name: failing, input: {} }] }),
    { text: 'Ada is on the pro plan.' },
  ])
  expect(answer?.summary).toBe('Ada is on the pro plan.')
  expect(crm.lookups).toEqual([{ email: 'ada@example.com' }])
  expect(messages).toMatchObject([
    { kind: 'note', text: expect.stringMatching(/^The data connector Gone: /) },
    {
      kind: 'tool_call',
      connector: 'CRM',
      input: '{"email":"ada@example.com"}',
      status: 'completed',
      output: expect.stringContaining('pro'),
    },
    { kind: 'tool_call', connector: 'CRM', status: 'failed', output: expect.stringContaining('system is closed.') },
    { kind: 'text' },
  ])
  expect(lastToolAnswer(bodies[1])).toMatch(
    /^The data connector’s answer\.\n[^]*<untrusted_data>\n[^]*pro[^]*\n<\/untrusted_data>$/,
  )
  expect(lastToolAnswer(bodies[2])).toMatch(/^The call failed\.\n[^]*<untrusted_data>\n[^]*closed/)
  expect(JSON.stringify(bodies)).not.toContain('crm-token')
  const described = bodies[0].tools.find((tool: { function: { name: string } }) => tool.function.name === failing)
  expect(described.function.description).toMatch(/^From the data connector CRM: /)
})
