import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AgentFetch, openAgentFetch } from '../../../../testing/agent-fetch.ts'
import { type McpServer, type McpServerOptions, startMcpServer } from '../../../../testing/servers/mcp-server.ts'
import {
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal, startTime } from '../../../../testing/http/requests.ts'

const all = '/app/api/data-connectors'

describe.each(routeStoreKinds)('data connectors on %s', (kind) => {
  let agentFetch: AgentFetch
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson
  let servers: McpServer[] = []

  beforeAll(async () => {
    agentFetch = openAgentFetch()
    service = await startTestService(kind, { worker: false, agentFetch: agentFetch.fetch })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'member@shop.test')
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

  async function create(input: object = {}): Promise<{ id: string; name: string; url: string; headerNames: string[] }> {
    const answer = await shop.admin.page('POST', all, { name: 'CRM', url: 'https://mcp.example.com/mcp', ...input })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json()
  }

  const edit = (id: string, change: object) => shop.admin.page('PATCH', `${all}/${id}`, change)
  const list = async (person = shop.admin) => (await person.page('GET', all)).json().items

  test('can be created, listed, edited and deleted', async () => {
    expect(await list()).toEqual([])
    const headers = { Authorization: 'Bearer top-secret', 'X-Team': 'a' }
    const made = await create({ headers })
    const shown = {
      id: expect.stringMatching(/^connector_\w{22}$/),
      name: 'CRM',
      url: 'https://mcp.example.com/mcp',
      headerNames: ['Authorization', 'X-Team'],
      enabled: true,
      createdAt: startTime,
      updatedAt: startTime,
    }
    expect(made).toEqual(shown)
    expect(await list()).toEqual([shown])
    await service.clock.advance(1000)
    const edited = await edit(made.id, { name: ' Customers ', enabled: false })
    const after = { ...shown, name: 'Customers', enabled: false, updatedAt: service.clock.now().toISOString() }
    expect([edited.statusCode, edited.json()]).toEqual([200, after])
    expect(await list()).toEqual([after])
    expect(JSON.stringify([made, edited.json(), await list()])).not.toContain('secret')
    expect((await shop.admin.page('DELETE', `${all}/${made.id}`)).statusCode).toBe(204)
    expect(await list()).toEqual([])
    expectRefusal(await shop.admin.page('DELETE', `${all}/${made.id}`), 'data_connector_not_found')
    expectRefusal(await edit(made.id, { name: 'x' }), 'data_connector_not_found')
    expectRefusal(await shop.admin.page('POST', `${all}/${made.id}/test`), 'data_connector_not_found')
  })

  test('header values are stored encrypted', async () => {
    const { id } = await create({ headers: { Authorization: 'Bearer top-secret' } })
    const rows = service.services.db.selectFrom('data_connectors').select('headers').where('id', '=', id)
    const row = await rows.executeTakeFirstOrThrow()
    expect(Buffer.from(row.headers!).toString('latin1')).not.toMatch(/top-secret|Bearer/)
  })

  test('hides the URL from members, because any part of it may hold a token', async () => {
    const url = 'https://mcp.example.com/secret-path/mcp?key=secret'
    await create({ url, headers: { 'X-Key': 'secret' } })
    const answer = await member.page('GET', all)
    expect(answer.json().items).toEqual([expect.objectContaining({ name: 'CRM', url: null, headerNames: ['X-Key'] })])
    expect(answer.body).not.toMatch(/secret|example\.com/)
    expect(await list()).toEqual([expect.objectContaining({ url })])
  })

  test('members can neither change nor test them', async () => {
    const { id } = await create()
    expectRefusal(await member.page('POST', all, { name: 'Mine', url: 'https://mcp.example.com/' }), 'forbidden')
    expectRefusal(await member.page('PATCH', `${all}/${id}`, { enabled: false }), 'forbidden')
    expectRefusal(await member.page('DELETE', `${all}/${id}`), 'forbidden')
    expectRefusal(await member.page('POST', `${all}/${id}/test`), 'forbidden')
  })

  describe('headers', () => {
    const headers = { 'X-Key': 'secret' }

    async function sentBy(id: string, server: McpServer): Promise<unknown> {
      expect((await shop.admin.page('POST', `${all}/${id}/test`)).json()).toMatchObject({ ok: true })
      return server.requests.at(-1)!.headers['x-key']
    }

    test('are kept if the URL keeps its origin, and removed otherwise', async () => {
      const [one, other] = [await start(), await start()]
      const { id } = await create({ url: one.url, headers })
      expect(await sentBy(id, one)).toBe('secret')
      const moved = (await edit(id, { url: `${one.url}?tenant=7`, name: 'Moved' })).json()
      expect(moved.headerNames).toEqual(['X-Key'])
      expect(await sentBy(id, one)).toBe('secret')
      expect((await edit(id, { url: other.url })).json().headerNames).toEqual([])
      expect(await sentBy(id, other)).toBeUndefined()
      // They do not come back with the previous URL.
      expect((await edit(id, { url: one.url })).json().headerNames).toEqual([])
      expect(await sentBy(id, one)).toBeUndefined()
    })

    test('replace all existing headers', async () => {
      const server = await start()
      const { id } = await create({ url: server.url, headers: { ...headers, 'X-Team': 'a' } })
      expect((await edit(id, { headers: { 'x-key': 'new' } })).json().headerNames).toEqual(['x-key'])
      expect(await sentBy(id, server)).toBe('new')
      expect((await edit(id, { headers: {} })).json().headerNames).toEqual([])
      expect(await sentBy(id, server)).toBeUndefined()
    })

    test('can be set together with a new origin', async () => {
      const [one, other] = [await start(), await start()]
      const { id } = await create({ url: one.url, headers })
      expect((await edit(id, { url: other.url, headers: { 'X-Key': 'other' } })).json().headerNames).toEqual(['X-Key'])
      expect(await sentBy(id, other)).toBe('other')
    })

    test.each<[string, Record<string, unknown>, string]>([
      ['an invalid name', { 'X Key': 'a' }, '/headers/X Key'],
      ['a name with a line break', { 'X-Key\r\nHost': 'a' }, '/headers/X-Key\r\nHost'],
      ['no name', { '': 'a' }, '/headers/'],
      ['a long name', { ['x'.repeat(65)]: 'a' }, `/headers/${'x'.repeat(64)}`],
      ['an empty value', { 'X-Key': '' }, '/headers/X-Key'],
      ['a value with a line break', { 'X-Key': 'a\r\nX-Other: b' }, '/headers/X-Key'],
      ['a value that is not ASCII', { 'X-Key': 'ключ' }, '/headers/X-Key'],
      ['a value with spaces around it', { 'X-Key': ' a' }, '/headers/X-Key'],
      ['a long value', { 'X-Key': 'x'.repeat(4097) }, '/headers/X-Key'],
      ['the Host header', { Host: 'elsewhere.example.com' }, '/headers/Host'],
      ['a connection header', { 'Transfer-Encoding': 'chunked' }, '/headers/Transfer-Encoding'],
      ['a protocol header', { 'MCP-Session-Id': '1' }, '/headers/MCP-Session-Id'],
      ['a repeated name', { 'X-Key': 'a', 'x-key': 'b' }, '/headers/x-key'],
      ['too many', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'a'])), '/headers'],
      ['a number', { 'X-Key': 7 }, '/headers/X-Key'],
    ])('are rejected with %s', async (_name, given, path) => {
      const { id } = await create({ headers })
      const other = { name: 'B', url: 'https://a.example/', headers: given }
      expectRefusal(await shop.admin.page('POST', all, other), 'invalid_request', at(path))
      expectRefusal(await edit(id, { headers: given }), 'invalid_request', at(path))
      expect(await list()).toEqual([expect.objectContaining({ headerNames: ['X-Key'] })])
    })
  })

  describe('rejects', () => {
    test.each<[string, object, string]>([
      ['no name', { name: ' ' }, '/name'],
      ['a long name', { name: 'x'.repeat(61) }, '/name'],
      ['a name of two lines', { name: 'a\nb' }, '/name'],
      ['a URL without a scheme', { url: 'mcp.example.com' }, '/url'],
      ['another scheme', { url: 'stdio:///bin/sh' }, '/url'],
      ['a file', { url: 'file:///etc/passwd' }, '/url'],
      ['a user name', { url: 'https://user@mcp.example.com/' }, '/url'],
      ['a password', { url: 'https://:secret@mcp.example.com/' }, '/url'],
      ['a fragment', { url: 'https://mcp.example.com/#a' }, '/url'],
      ['an empty fragment', { url: 'https://mcp.example.com/#' }, '/url'],
      ['port 0', { url: 'https://mcp.example.com:0/' }, '/url'],
      ['a long URL', { url: `https://mcp.example.com/${'x'.repeat(2048)}` }, '/url'],
      ['a URL that becomes long', { url: `https://mcp.example.com/${'ä'.repeat(600)}` }, '/url'],
      ['a command to start', { command: '/bin/sh' }, '/command'],
      ['a switch that is not a boolean', { enabled: 'yes' }, '/enabled'],
    ])('%s', async (_name, input, path) => {
      const { id } = await create()
      const valid = { name: 'B', url: 'https://mcp.example.com/' }
      expectRefusal(await shop.admin.page('POST', all, { ...valid, ...input }), 'invalid_request', at(path))
      expectRefusal(await edit(id, input), 'invalid_request', at(path))
      expect(await list()).toEqual([expect.objectContaining({ name: 'CRM', url: 'https://mcp.example.com/mcp', enabled: true })])
    })

    test('a name that is taken, ignoring case', async () => {
      const { id } = await create({ name: 'Crm' })
      const other = await create({ name: 'Other' })
      const taken = at('/name', 'is taken; choose another')
      expectRefusal(await shop.admin.page('POST', all, { name: 'CRM', url: 'https://a.example/' }), 'invalid_request', taken)
      expectRefusal(await edit(other.id, { name: 'cRM' }), 'invalid_request', taken)
      expect((await edit(id, { name: 'CRM' })).json().name).toBe('CRM')
      const bank = await service.addOrganization(`bank-${kind}`)
      expect((await bank.admin.page('POST', all, { name: 'CRM', url: 'https://a.example/' })).statusCode).toBe(201)
    })

    test('more than 20, even with concurrent requests', async () => {
      const answers = await Promise.all(
        Array.from({ length: 22 }, (_, n) => shop.admin.page('POST', all, { name: `C${n}`, url: 'https://a.example/' })),
      )
      const refused = answers.filter(({ statusCode }) => statusCode !== 201)
      expect([refused.length, (await list()).length]).toEqual([2, 20])
      for (const answer of refused) expectRefusal(answer, 'invalid_request', { message: /20 data connectors/ })
    })
  })

  describe('a test', () => {
    const trial = async (id: string) => {
      const answer = await shop.admin.page('POST', `${all}/${id}/test`)
      expect(answer.statusCode).toBe(200)
      return answer.json()
    }

    test('returns the server and its tools, even if the connector is disabled', async () => {
      const server = await start()
      const { id } = await create({ url: server.url, enabled: false })
      expect(await trial(id)).toEqual({
        ok: true,
        durationMs: expect.any(Number),
        server: { name: 'test-crm', version: '1.2.3' },
        tools: [
          { name: 'lookup_customer', description: 'Finds a customer by e-mail address.' },
          { name: 'failing_tool', description: 'Always fails.' },
        ],
        problems: [],
      })
      expect(server.requests.at(-1)!.method).toBe('DELETE')
    })

    test('reports what is wrong', async () => {
      const server = await start({ token: 'secret' })
      const { id } = await create({ url: server.url, headers: { Authorization: 'Bearer wrong' } })
      expect(await trial(id)).toEqual({
        ok: false,
        message: 'It refuses the request (401). Check the headers of the connector.',
      })
      await edit(id, { url: 'https://169.254.169.254/mcp' })
      expect(await trial(id)).toEqual({ ok: false, message: expect.stringMatching(/metadata.*AGENT_ALLOWED_NETWORKS/) })
      await edit(id, { url: 'http://203.0.113.1/mcp' })
      expect(await trial(id)).toEqual({ ok: false, message: expect.stringMatching(/not publicly routable/) })
    })
  })
})
