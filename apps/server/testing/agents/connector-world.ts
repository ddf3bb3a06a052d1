import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AgentFetch, openAgentFetch } from '../agent-fetch.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'
import { seededRandom } from '../seeded-random.ts'
import type { StoredConnector } from '../../src/store/agents/data-connectors-table.ts'
import { makeSealer } from '../../src/domain/sealing.ts'
import { describeFailure } from '../../src/domain/agents/connectors/connector-failure.ts'
import { type ConnectorDeps, openConnector, type OpenConnector } from '../../src/domain/agents/connectors/open-connector.ts'

/** Opens connectors without a store, against scripted servers on loopback. */
export interface ConnectorWorld {
  deps: ConnectorDeps
  clock: ManualClock
  connector(url: string): StoredConnector
  /** Starts a server with this listener and returns its URL. */
  serve(listener: RequestListener): Promise<string>
  /** Opens the connector of such a server, or returns the failure message. */
  opening(listener: RequestListener): Promise<OpenConnector | string>
  opened(listener: RequestListener): Promise<OpenConnector>
  close(): Promise<void>
}

export function makeConnectorWorld(): ConnectorWorld {
  const clock = manualClock()
  const agentFetch: AgentFetch = openAgentFetch()
  const sealer = makeSealer({ secretKey: Buffer.alloc(32, 7), random: seededRandom('connectors') })
  const ends: (() => Promise<unknown>)[] = [() => agentFetch.close()]
  const world: ConnectorWorld = {
    deps: { clock, sealer, agentFetch: agentFetch.fetch },
    clock,
    connector: (url) => ({
      id: 'connector_1',
      organizationId: 'org_1',
      name: 'CRM',
      url,
      headerNames: [],
      sealedHeaders: null,
      enabled: true,
      createdBy: 'user_1',
      createdAt: clock.now(),
      updatedAt: clock.now(),
    }),
    async serve(listener) {
      const server = createServer(listener)
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      ends.push(async () => {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    },
    async opening(listener) {
      const connector = world.connector(await world.serve(listener))
      return openConnector(world.deps, connector, new AbortController().signal).catch(describeFailure)
    },
    async opened(listener) {
      const open = await world.opening(listener)
      if (typeof open === 'string') throw new Error(open)
      return open
    },
    async close() {
      for (const end of ends.splice(0).toReversed()) await end()
    },
  }
  return world
}

export interface Rpc {
  id?: number
  /** `answer` for a message that is not a request; the HTTP method if the body is empty. */
  method: string
  params: Record<string, unknown>
}

type Handler = (rpc: Rpc, response: ServerResponse, request: IncomingMessage) => void

/** An MCP server with default handlers, except for the methods given here. */
export function mcpServerWith(methods: Record<string, Handler>): RequestListener {
  return (request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString()
      const rpc = { method: text === '' ? request.method! : 'answer', ...(text !== '' && JSON.parse(text)) } as Rpc
      const handler = methods[rpc.method] ?? defaults[rpc.method]
      if (handler) handler(rpc, response, request)
      else response.writeHead(202).end()
    })()
  }
}

const defaults: Record<string, Handler> = {
  initialize: ({ id, params }, response) =>
    answer(response, {
      jsonrpc: '2.0',
      id,
      result: {
        protocolVersion: params['protocolVersion'],
        capabilities: { tools: {} },
        serverInfo: { name: 'scripted', version: '1' },
      },
    }),
  'tools/list': ({ id }, response) => answer(response, { jsonrpc: '2.0', id, result: { tools: [tool('one')] } }),
}

export const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } })

/** A JSON-RPC response. */
export const result = (id: number | undefined, content: object) => ({ jsonrpc: '2.0', id, result: content })

export function answer(response: ServerResponse, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

/** Starts an event stream with these messages and keeps it open. */
export function stream(response: ServerResponse, ...messages: unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const message of messages) response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
}
