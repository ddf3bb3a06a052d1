import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/** An MCP server on loopback, built with the official SDK. */
export interface McpServer {
  url: string
  /** Its requests, oldest first, with their HTTP and JSON-RPC methods. */
  requests: { method: string; headers: IncomingHttpHeaders; rpc: string | null }[]
  /** The inputs of `lookup_customer`. */
  lookups: { email: string }[]
  close(): Promise<void>
}

export interface McpServerOptions {
  /** Rejects requests without `Authorization: Bearer <token>`. */
  token?: string
  /** Answers with JSON instead of an event stream. */
  isPlainJson?: boolean
  /** Keeps no session between requests. */
  isStateless?: boolean
}

/**
 * Its tools: `lookup_customer { email }` only knows ada@example.com (plan "pro", since 2024); `failing_tool` fails with "The
 * billing system is closed."
 */
export async function startMcpServer(options: McpServerOptions = {}): Promise<McpServer> {
  const requests: McpServer['requests'] = []
  const lookups: { email: string }[] = []
  const sessions = new Map<string, StreamableHTTPServerTransport>()

  async function open(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: options.isStateless ? undefined : () => `session-${sessions.size + 1}`,
      enableJsonResponse: options.isPlainJson ?? false,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    } as ConstructorParameters<typeof StreamableHTTPServerTransport>[0])
    await makeServer(lookups).connect(transport)
    return transport
  }

  const http = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as { method?: string }) : undefined
      requests.push({ method: request.method!, headers: request.headers, rpc: body?.method ?? null })
      if (options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`) {
        return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      }
      const id = request.headers['mcp-session-id']
      const transport = typeof id === 'string' ? sessions.get(id) : await open()
      if (!transport) return response.writeHead(404).end()
      return transport.handleRequest(request, response, body)
    })()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    requests,
    lookups,
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
}

const tools = [
  {
    name: 'lookup_customer',
    description: 'Finds a customer by e-mail address.',
    inputSchema: { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] },
    outputSchema: { type: 'object', properties: { plan: { type: 'string' }, since: { type: 'number' } } },
  },
  { name: 'failing_tool', description: 'Always fails.', inputSchema: { type: 'object' } },
]

function makeServer(lookups: { email: string }[]): Server {
  const server = new Server({ name: 'test-crm', version: '1.2.3' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (params.name !== 'lookup_customer') return failed('The billing system is closed.')
    const email = String(params.arguments?.['email'])
    lookups.push({ email })
    if (email !== 'ada@example.com') return failed(`Nobody has ${email}.`)
    const found = { plan: 'pro', since: 2024 }
    return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found }
  })
  return server
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })
