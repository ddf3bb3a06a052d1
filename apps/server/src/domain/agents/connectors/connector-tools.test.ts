import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AgentFetch, openAgentFetch } from '../../../../testing/agent-fetch.ts'
import { type McpServer, type McpServerOptions, startMcpServer } from '../../../../testing/servers/mcp-server.ts'
import { seededRandom } from '../../../../testing/seeded-random.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { ruleKindsOf, storeKinds } from '../../../../testing/store/test-store.ts'
import { makeSealer } from '../../sealing.ts'
import { openConnectorTools } from './connector-tools.ts'
import { createDataConnector } from './data-connectors.ts'

const { signal } = new AbortController()

describe.each(storeKinds)('connectors of an organization on %s', (kind) => {
  let agentFetch: AgentFetch
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization
  let servers: McpServer[] = []

  beforeAll(async () => {
    agentFetch = openAgentFetch()
    service = await startTestService(kind, { worker: false, agentFetch: agentFetch.fetch })
    shop = await service.addOrganization('shop')
    bank = await service.addOrganization('bank')
  })
  afterAll(async () => {
    await service.stop()
    await agentFetch.close()
  })
  beforeEach(() => service.services.db.deleteFrom('data_connectors').execute())
  afterEach(async () => {
    for (const server of servers) await server.close()
    servers = []
  })

  async function start(options?: McpServerOptions): Promise<McpServer> {
    const server = await startMcpServer(options)
    servers.push(server)
    return server
  }

  const add = (organization: TestOrganization, input: Parameters<typeof createDataConnector>[2]) =>
    createDataConnector(service.services, organization.admin.caller, input)
  const open = (organization = shop) =>
    openConnectorTools(service.services, organization.admin.caller.organizationId, signal)

  test.each(ruleKindsOf(kind))('has none until one is added', async () => {
    await add(bank, { name: 'CRM', url: (await start()).url })
    const opened = await open(shop)
    expect([opened.tools, opened.problems]).toEqual([[], []])
    await opened.close()
  })

  test.each<[string, McpServerOptions]>([
    ['in a session, by streams', {}],
    ['in a session, by JSON', { isPlainJson: true }],
    ['without a session', { isStateless: true }],
  ])('calls a real server %s', async (_name, options) => {
    const server = await start({ token: 'secret', ...options })
    await add(shop, { name: 'Our CRM', url: server.url, headers: { Authorization: 'Bearer secret' } })
    const { tools, problems, close } = await open()
    expect(problems).toEqual([])
    expect(tools).toEqual([
      {
        name: 'our_crm__lookup_customer',
        connector: 'Our CRM',
        description: 'Finds a customer by e-mail address.',
        inputSchema: { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] },
        call: expect.any(Function),
      },
      expect.objectContaining({ name: 'our_crm__failing_tool', description: 'Always fails.' }),
    ])
    const [lookup, failing] = tools
    const input = { email: 'ada@example.com' }
    expect(await Promise.all([lookup!.call(input, signal), lookup!.call(input, signal)])).toEqual(
      Array(2).fill('{"plan":"pro","since":2024}'),
    )
    await expect(lookup!.call({ email: 'bob@example.com' }, signal)).rejects.toThrow('Nobody has bob@example.com.')
    await expect(failing!.call({}, signal)).rejects.toThrow('The billing system is closed.')
    expect(server.lookups).toHaveLength(3)
    await close()
    const asked = server.requests.map(({ method, rpc }) => rpc ?? method)
    expect(asked.slice(0, 3)).toEqual(['initialize', 'notifications/initialized', 'tools/list'])
    // No stream is opened for unsolicited server messages, and the session is ended.
    expect(asked).not.toContain('GET')
    expect(asked.filter((each) => each === 'DELETE')).toHaveLength(options.isStateless ? 0 : 1)
    for (const { headers } of server.requests) expect(headers.authorization).toBe('Bearer secret')
  })

  test.each(ruleKindsOf(kind))('a failing or disabled connector does not affect the others', async () => {
    const good = await start()
    const locked = await start({ token: 'secret' })
    const unused = await start()
    await add(shop, { name: 'Locked', url: locked.url })
    await add(shop, { name: 'Unused', url: unused.url, enabled: false })
    await add(shop, { name: 'CRM', url: good.url })
    await add(shop, { name: 'crm!', url: good.url })
    const { tools, problems, close } = await open()
    expect(problems).toEqual([
      { connector: 'Locked', message: 'The server rejected the request (401). Check the connector’s headers.' },
    ])
    expect(tools.map(({ name }) => name)).toEqual([
      'crm__lookup_customer',
      'crm__failing_tool',
      'crm__lookup_customer_2',
      'crm__failing_tool_2',
    ])
    await close()
    expect(unused.requests).toEqual([])
  })

  test.each(ruleKindsOf(kind))('headers that cannot be decrypted fail the connector instead of being left out', async () => {
    const server = await start()
    await add(shop, { name: 'CRM', url: server.url, headers: { 'X-Key': 'secret' } })
    const sealer = makeSealer({ secretKey: Buffer.alloc(32, 8), random: seededRandom('another key') })
    const { organizationId } = shop.admin.caller
    const { tools, problems, close } = await openConnectorTools({ ...service.services, sealer }, organizationId, signal)
    await close()
    expect([tools, problems]).toEqual([[], [{ connector: 'CRM', message: expect.stringContaining('SECRET_KEY') }]])
    expect(server.requests).toEqual([])
  })

  test("headers are bound to their origin, even if the row's URL is changed", async () => {
    const [server, thief] = [await start(), await start()]
    const { id } = await add(shop, { name: 'CRM', url: server.url, headers: { 'X-Key': 'secret' } })
    await service.services.db.updateTable('data_connectors').set({ url: thief.url }).where('id', '=', id).execute()
    const { problems, close } = await open()
    await close()
    expect(problems).toEqual([{ connector: 'CRM', message: expect.stringContaining('cannot be decrypted') }])
    expect(thief.requests).toEqual([])
  })

  test.each(ruleKindsOf(kind))('an abort ends the opening with its reason and closes the sessions', async () => {
    const server = await start()
    await add(shop, { name: 'CRM', url: server.url })
    const abort = new AbortController()
    const aborting: typeof service.services.agentFetch = async (input, init) => {
      const answer = await agentFetch.fetch(input, init)
      if (typeof init?.body === 'string' && init.body.includes('tools/list')) abort.abort(new Error('stopped'))
      return answer
    }
    const deps = { ...service.services, agentFetch: aborting }
    await expect(openConnectorTools(deps, shop.admin.caller.organizationId, abort.signal)).rejects.toThrow('stopped')
    expect(server.requests.at(-1)!.method).toBe('DELETE')
  })
})
