import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeFailure } from './connector-failure.ts'
import type { OpenConnector } from './open-connector.ts'
import {
  answer,
  type ConnectorWorld,
  makeConnectorWorld,
  mcpServerWith,
  result,
  type Rpc,
  stream,
} from '../../../../testing/agents/connector-world.ts'

let world: ConnectorWorld
beforeEach(() => {
  world = makeConnectorWorld()
})
afterEach(() => world.close())

const { signal } = new AbortController()

describe('a tool call', () => {
  const outcome = (open: OpenConnector) => open.callTool('one', {}, signal).catch(describeFailure)
  const says = (text: string) => ({ content: [{ type: 'text', text }] })

  test('accepts the answer as JSON, as a batch of messages, or as a stream with other messages around it', async () => {
    const ways: ((rpc: Rpc, response: Parameters<typeof stream>[0]) => void)[] = [
      ({ id }, response) => answer(response, result(id, says('json'))),
      ({ id }, response) => answer(response, [{ jsonrpc: '2.0', method: 'notifications/a' }, result(id, says('batch'))]),
      ({ id }, response) => {
        stream(response, { jsonrpc: '2.0', method: 'notifications/progress', params: {} }, result(id, says('stream')), result(id, {}))
        response.end()
      },
    ]
    const open = await world.opened(mcpServerWith({ 'tools/call': (rpc, response) => ways.shift()!(rpc, response) }))
    expect([await outcome(open), await outcome(open), await outcome(open)]).toEqual(['json', 'batch', 'stream'])
  })

  test('times out, is canceled at the server, and does not affect the next call', async () => {
    const canceled: unknown[] = []
    let count = 0
    let isThere = () => {}
    const there = new Promise<void>((resolve) => (isThere = resolve))
    let isClosed = false
    const open = await world.opened(
      mcpServerWith({
        'tools/call': ({ id }, response) => {
          if (count++ > 0) return answer(response, result(id, says('second')))
          response.once('close', () => (isClosed = true))
          stream(response)
          return isThere()
        },
        'notifications/cancelled': ({ params }, response) => {
          canceled.push(params['requestId'])
          response.writeHead(202).end()
        },
      }),
    )
    const first = outcome(open)
    await there
    await world.clock.advance(30_000)
    expect(await first).toBe('The server did not respond within 30 seconds.')
    await expect.poll(() => [isClosed, canceled.length]).toEqual([true, 1])
    expect(await outcome(open)).toBe('second')
  })

  test("throws the caller's abort reason without sending it to the server", async () => {
    const abort = new AbortController()
    const canceled: unknown[] = []
    const open = await world.opened(
      mcpServerWith({
        'tools/call': () => abort.abort(new Error('stopped')),
        'notifications/cancelled': ({ params }, response) => {
          canceled.push(params['reason'])
          response.writeHead(202).end()
        },
      }),
    )
    await expect(open.callTool('one', {}, abort.signal)).rejects.toThrow('stopped')
    await expect.poll(() => canceled.length).toBe(1)
    expect(canceled[0]).not.toContain('stopped')
    await expect(open.callTool('one', {}, abort.signal)).rejects.toThrow('stopped')
  })

  test('rejects input that is not an object', async () => {
    const open = await world.opened(mcpServerWith({ 'tools/call': () => expect.fail('the tool was called') }))
    for (const input of [null, 'text', 7, [], undefined]) {
      await expect(open.callTool('one', input, signal)).rejects.toThrow('The input of a tool must be an object.')
    }
  })

  test('reports that the server ended the session', async () => {
    const open = await world.opened(
      mcpServerWith({
        initialize: ({ id, params }, response) => {
          response.setHeader('mcp-session-id', 'abc')
          answer(response, result(id, { ...params, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } }))
        },
        'tools/call': (_, response) => response.writeHead(404).end(),
      }),
    )
    expect(await outcome(open)).toBe('The server ended the session (404).')
  })
})

test('reuses connections', async () => {
  const sockets = new Set<unknown>()
  const open = await world.opened(
    mcpServerWith({
      'tools/call': ({ id }, response, request) => {
        sockets.add(request.socket)
        answer(response, result(id, { content: [] }))
      },
    }),
  )
  for (let count = 0; count < 20; count++) await open.callTool('one', {}, signal)
  // Not always one: a call may start before the previous call's connection is free.
  expect(sockets.size).toBeLessThan(4)
})

test('close ends the session at the server, and waits for it at most two seconds', async () => {
  let isAsked = () => {}
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  const open = await world.opened(
    mcpServerWith({
      initialize: ({ id, params }, response) => {
        response.setHeader('mcp-session-id', 'abc')
        answer(response, result(id, { ...params, capabilities: {}, serverInfo: { name: 'a', version: '1' } }))
      },
      DELETE: (_, __, request) => {
        expect(request.headers['mcp-session-id']).toBe('abc')
        isAsked()
      },
    }),
  )
  const closing = open.close()
  await asked
  await world.clock.advance(2000)
  await closing
  await expect(open.callTool('one', {}, signal)).rejects.toThrow('Not connected')
})

test('requests from the server are rejected; after the first few they are not answered at all', async () => {
  const answers = new Map<string, unknown>()
  const open = await world.opened(
    mcpServerWith({
      answer: (rpc, response) => {
        answers.set(String(rpc.id), rpc)
        response.writeHead(202).end()
      },
      'tools/call': ({ id }, response) => {
        const methods = ['ping', 'sampling/createMessage', 'elicitation/create', 'roots/list']
        const asking = Array.from({ length: 1000 }, (_, n) => ({ jsonrpc: '2.0', id: `s${n}`, method: methods[n % 4], params: {} }))
        stream(response, ...asking, result(id, { content: [{ type: 'text', text: 'done' }] }))
        response.end()
      },
    }),
  )
  expect(await open.callTool('one', {}, signal)).toBe('done')
  await expect.poll(() => answers.size).toBe(10)
  await open.close()
  expect(new Set(answers.keys())).toEqual(new Set(Array.from({ length: 10 }, (_, n) => `s${n}`)))
  expect(answers.get('s0')).toMatchObject({ result: {} })
  for (const id of ['s1', 's2', 's3']) {
    expect(answers.get(id)).toMatchObject({ error: { code: -32601, message: 'Method not found' } })
  }
})
