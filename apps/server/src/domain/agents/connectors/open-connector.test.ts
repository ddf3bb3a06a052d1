import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeFailure } from './connector-failure.ts'
import { openConnector } from './open-connector.ts'
import {
  answer,
  type ConnectorWorld,
  makeConnectorWorld,
  mcpServerWith,
  result,
  type Rpc,
  stream,
  tool,
} from '../../../../testing/agents/connector-world.ts'

let world: ConnectorWorld
beforeEach(() => {
  world = makeConnectorWorld()
})
afterEach(() => world.close())

const { signal } = new AbortController()
const notMcp = 'The response is not valid MCP. Check that the URL is the address of an MCP server.'

describe('a server that does not speak MCP', () => {
  test.each<[string, Parameters<ConnectorWorld['serve']>[0], string]>([
    ['a web page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'), notMcp],
    ['other JSON', (_, response) => answer(response, { hello: 'world' }), notMcp],
    ['a list of other JSON', (_, response) => answer(response, [1, 2, 3]), notMcp],
    ['broken JSON', (_, response) => answer(response, '{"jsonrpc":'), notMcp],
    ['a bad initialize result', mcpServerWith({ initialize: ({ id }, response) => answer(response, result(id, { a: 1 })) }), notMcp],
    ['an empty answer', (_, response) => response.writeHead(204).end(), notMcp],
    [
      'an answer to something else',
      mcpServerWith({ initialize: (_, response) => answer(response, result(77, {})) }),
      'The response ended without an answer to the request.',
    ],
    [
      'a stream that ends',
      mcpServerWith({
        initialize: (_, response) => {
          stream(response)
          response.end()
        },
      }),
      'The response ended without an answer to the request.',
    ],
    [
      'another version of the protocol',
      mcpServerWith({
        initialize: ({ id }, response) =>
          answer(response, result(id, { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'a', version: '1' } })),
      }),
      'The server uses an unsupported protocol version: 1999-01-01.',
    ],
    [
      'an error',
      mcpServerWith({
        initialize: ({ id }, response) => answer(response, { jsonrpc: '2.0', id, error: { code: -32603, message: 'Out of order' } }),
      }),
      'The server returned an error: Out of order',
    ],
    ['401', (_, response) => response.writeHead(401).end('who?'), 'The server rejected the request (401). Check the connector’s headers.'],
    [
      '404',
      (_, response) => response.writeHead(404).end(),
      'The server responded with 404. Check that the URL is the address of an MCP server (Streamable HTTP).',
    ],
    ['429', (_, response) => response.writeHead(429).end(), 'The server is rate limiting requests (429). Try again later.'],
    ['500', (_, response) => response.writeHead(500).end('a stack trace'), 'The server failed (500).'],
    ['418', (_, response) => response.writeHead(418).end(), 'The server rejected the request (418).'],
  ])('%s', async (_name, listener, message) => {
    expect(await world.opening(listener)).toBe(message)
  })

  test('does not follow redirects, even within the same server', async () => {
    const paths: string[] = []
    const message = await world.opening((request, response) => {
      paths.push(`${request.method} ${request.url}`)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect(message).toBe('The server responded with a redirect (307), which is not followed. Enter the address it redirects to.')
    expect(paths).toEqual(['POST /mcp'])
  })

  test('reports an unreachable server', async () => {
    const url = await world.serve(() => {})
    await world.close()
    world = makeConnectorWorld()
    const message = await openConnector(world.deps, world.connector(url), signal).catch(describeFailure)
    expect(message).toBe(`${new URL(url).host} could not be reached, or did not respond with HTTP.`)
  })

  test('rejects addresses that agents may not reach', async () => {
    const connector = world.connector('https://169.254.169.254/latest/meta-data/')
    expect(await openConnector(world.deps, connector, signal).catch(describeFailure)).toContain('Set AGENT_ALLOWED_NETWORKS')
  })
})

describe('a server that never finishes', () => {
  /** Opens the connector, and advances the clock once the server hangs. */
  async function openingUntilLate(method: string, hang: (response: Parameters<typeof stream>[0], rpc: Rpc) => void) {
    let isThere = () => {}
    const there = new Promise<void>((resolve) => (isThere = resolve))
    let isClosed = false
    const open = world.opening(
      mcpServerWith({
        [method]: (rpc, response) => {
          response.once('close', () => (isClosed = true))
          hang(response, rpc)
          isThere()
        },
      }),
    )
    await there
    await world.clock.advance(29_999)
    await world.clock.advance(1)
    const message = await open
    await expect.poll(() => isClosed).toBe(true)
    return message
  }

  test.each(['initialize', 'notifications/initialized', 'tools/list'])('times out when it does not answer %s', async (method) => {
    expect(await openingUntilLate(method, () => {})).toBe('The server did not respond within 30 seconds.')
    expect(world.clock.sleepers()).toBe(0)
  })

  test('times out when it streams without an answer', async () => {
    const message = await openingUntilLate('tools/list', (response) => {
      stream(response, { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'wait' } })
    })
    expect(message).toBe('The server did not respond within 30 seconds.')
  })

  test('is cut off when it streams more than 4 MB', async () => {
    let sentBytes = 0
    const message = await world.opening(
      mcpServerWith({
        'tools/list': (_, response) => {
          const chunk = `: ${'x'.repeat(64 * 1024)}\n`
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          const pour = () => {
            while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length
          }
          response.on('drain', pour)
          pour()
        },
      }),
    )
    expect(message).toBe('The response is larger than 4 MB.')
    expect(sentBytes).toBeLessThan(32 * 1024 * 1024)
  })

  test('is cut off when its compressed response expands to more than 4 MB', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
    const message = await world.opening(
      mcpServerWith({
        'tools/list': (_, response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
        },
      }),
    )
    expect(bomb.length).toBeLessThan(100_000)
    expect(message).toBe('The response is larger than 4 MB.')
  })

  test('may keep streaming after its answer: the answer counts, and the stream is cut off a second later', async () => {
    let isClosed = false
    const open = await world.opened(
      mcpServerWith({
        'tools/list': ({ id }, response) => {
          response.once('close', () => (isClosed = true))
          stream(response, result(id, { tools: [tool('one')] }), { jsonrpc: '2.0', method: 'notifications/message' })
        },
      }),
    )
    expect(open.tools.map(({ name }) => name)).toEqual(['one'])
    expect(isClosed).toBe(false)
    await world.clock.advance(1000)
    await expect.poll(() => isClosed).toBe(true)
  })
})
