import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeFailure } from './connector-failure.ts'
import { openConnector } from './open-connector.ts'
import {
  answer,
  type ConnectorWorld,
  makeConnectorWorld,
  mcpBut,
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
const notTheProtocol = 'Its answer is not one of the Model Context Protocol. Is this the address of an MCP server?'

describe('a server that is none is told of in words', () => {
  test.each<[string, Parameters<ConnectorWorld['serve']>[0], string]>([
    ['a web page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'), notTheProtocol],
    ['other JSON', (_, response) => answer(response, { hello: 'world' }), notTheProtocol],
    ['a list of other JSON', (_, response) => answer(response, [1, 2, 3]), notTheProtocol],
    ['broken JSON', (_, response) => answer(response, '{"jsonrpc":'), notTheProtocol],
    ['JSON-RPC, but no greeting', mcpBut({ initialize: ({ id }, response) => answer(response, result(id, { a: 1 })) }), notTheProtocol],
    ['an empty answer', (_, response) => response.writeHead(204).end(), notTheProtocol],
    [
      'an answer to something else',
      mcpBut({ initialize: (_, response) => answer(response, result(77, {})) }),
      'Its response ended without an answer to the request.',
    ],
    [
      'a stream that ends',
      mcpBut({
        initialize: (_, response) => {
          stream(response)
          response.end()
        },
      }),
      'Its response ended without an answer to the request.',
    ],
    [
      'another version of the protocol',
      mcpBut({
        initialize: ({ id }, response) =>
          answer(response, result(id, { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'a', version: '1' } })),
      }),
      'It speaks a version of the protocol that is not supported: 1999-01-01.',
    ],
    [
      'an error',
      mcpBut({
        initialize: ({ id }, response) => answer(response, { jsonrpc: '2.0', id, error: { code: -32603, message: 'Out of order' } }),
      }),
      'It answers with an error: Out of order',
    ],
    ['401', (_, response) => response.writeHead(401).end('who?'), 'It refuses the request (401). Check the headers of the connector.'],
    ['404', (_, response) => response.writeHead(404).end(), 'It answers 404. Is this the address of an MCP server (Streamable HTTP)?'],
    ['429', (_, response) => response.writeHead(429).end(), 'It is asked too often (429). Try again later.'],
    ['500', (_, response) => response.writeHead(500).end('a stack trace'), 'It has a problem of its own (500).'],
    ['418', (_, response) => response.writeHead(418).end(), 'It refuses the request (418).'],
  ])('%s', async (_name, listener, message) => {
    expect(await world.opening(listener)).toBe(message)
  })

  test('a redirect, within the server too, is not followed', async () => {
    const paths: string[] = []
    const message = await world.opening((request, response) => {
      paths.push(`${request.method} ${request.url}`)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect(message).toBe('It answers with a redirect (307), which is not followed. Enter the address that it leads to.')
    expect(paths).toEqual(['POST /mcp'])
  })

  test('nobody there', async () => {
    const url = await world.serve(() => {})
    await world.close()
    world = makeConnectorWorld()
    const message = await openConnector(world.deps, world.connector(url), signal).catch(describeFailure)
    expect(message).toBe(`${new URL(url).host} could not be reached, or did not answer in HTTP.`)
  })

  test('an address where agents may not go', async () => {
    const connector = world.connector('https://169.254.169.254/latest/meta-data/')
    expect(await openConnector(world.deps, connector, signal).catch(describeFailure)).toContain('Set AGENT_ALLOWED_NETWORKS')
  })
})

describe('a server that does not come to an end', () => {
  /** Opens, and moves the clock on once the server is where it hangs. */
  async function openingUntilLate(method: string, hang: (response: Parameters<typeof stream>[0], rpc: Rpc) => void) {
    let isThere = () => {}
    const there = new Promise<void>((resolve) => (isThere = resolve))
    let isClosed = false
    const open = world.opening(
      mcpBut({
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

  test.each(['initialize', 'notifications/initialized', 'tools/list'])('and says nothing to %s', async (method) => {
    expect(await openingUntilLate(method, () => {})).toBe('It did not answer within 30 seconds.')
    expect(world.clock.sleepers()).toBe(0)
  })

  test('and streams without an answer', async () => {
    const message = await openingUntilLate('tools/list', (response) => {
      stream(response, { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'wait' } })
    })
    expect(message).toBe('It did not answer within 30 seconds.')
  })

  test('and streams more than 4 MB', async () => {
    let sentBytes = 0
    const message = await world.opening(
      mcpBut({
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
    expect(message).toBe('Its answer is larger than 4 MB.')
    expect(sentBytes).toBeLessThan(32 * 1024 * 1024)
  })

  test('and is small only as long as it is compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
    const message = await world.opening(
      mcpBut({
        'tools/list': (_, response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
        },
      }),
    )
    expect(bomb.length).toBeLessThan(100_000)
    expect(message).toBe('Its answer is larger than 4 MB.')
  })

  test('and goes on after its answer: the answer counts, and the stream is cut a second later', async () => {
    let isClosed = false
    const open = await world.opened(
      mcpBut({
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
