import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OpenConnector } from './open-connector.ts'
import { answer, type ConnectorWorld, makeConnectorWorld, mcpServerWith, result, tool } from '../../../../testing/agents/connector-world.ts'

let world: ConnectorWorld
beforeEach(() => {
  world = makeConnectorWorld()
})
afterEach(() => world.close())

const notMcp = 'The response is not valid MCP. Check that the URL is the address of an MCP server.'

describe('a tool list', () => {
  const namesOf = (open: OpenConnector) => open.tools.map(({ name }) => name)
  const many = (count: number, start = 0) => Array.from({ length: count }, (_, index) => tool(`t${start + index}`))

  test('is read page by page', async () => {
    const open = await world.opened(
      mcpServerWith({
        'tools/list': ({ id, params }, response) => {
          const page = Number(params['cursor'] ?? 0)
          answer(response, result(id, { tools: many(20, page * 20), ...(page < 2 && { nextCursor: String(page + 1) }) }))
        },
      }),
    )
    expect(namesOf(open)).toEqual(many(50).map(({ name }) => name))
    expect(open.problems).toEqual(['The server has more than 50 tools; only the first 50 are used.'])
  })

  test('of exactly 50 tools is used in full', async () => {
    const open = await world.opened(mcpServerWith({ 'tools/list': ({ id }, response) => answer(response, result(id, { tools: many(50) })) }))
    expect([namesOf(open).length, open.problems]).toEqual([50, []])
  })

  test('is truncated at 50 tools, and rejected when the response is too large', async () => {
    const tiny = (count: number) => ({ tools: Array.from({ length: count }, (_, n) => ({ name: `${n}`, inputSchema: { type: 'object' } })) })
    const open = await world.opened(mcpServerWith({ 'tools/list': ({ id }, response) => answer(response, result(id, tiny(60_000))) }))
    expect([namesOf(open).length, open.problems.length]).toEqual([50, 1])
    const message = await world.opening(mcpServerWith({ 'tools/list': ({ id }, response) => answer(response, result(id, tiny(100_000))) }))
    expect(message).toBe('The response is larger than 4 MB.')
  })

  test('stops at a cursor that was already used', async () => {
    let count = 0
    const open = await world.opened(
      mcpServerWith({
        'tools/list': ({ id }, response) => {
          count++
          answer(response, result(id, { tools: count === 1 ? [tool('one')] : [], nextCursor: 'again' }))
        },
      }),
    )
    expect([namesOf(open), open.problems, count]).toEqual([['one'], ['The tool list repeats a cursor, so the rest was not read.'], 2])
  })

  test('stops after 10 pages', async () => {
    let count = 0
    const open = await world.opened(
      mcpServerWith({ 'tools/list': ({ id }, response) => answer(response, result(id, { tools: [], nextCursor: `${count++}` })) }),
    )
    expect([open.problems, count]).toEqual([['The tool list has more than 10 pages; only the first 10 are used.'], 10])
  })

  test('skips invalid tools and truncates long descriptions', async () => {
    const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`
    const tools = [
      { ...tool('good'), description: `${'x'.repeat(998)}€€€` },
      tool('good'),
      { name: 'titled', title: 'Does\0it', inputSchema: { type: 'object' } },
      null,
      'text',
      { name: '', inputSchema: { type: 'object' } },
      { name: 7, inputSchema: { type: 'object' } },
      { name: 'x'.repeat(129), inputSchema: { type: 'object' } },
      { name: 'no schema' },
      { name: 'a list', inputSchema: { type: 'array' } },
      { name: 'large', inputSchema: { type: 'object', description: 'x'.repeat(16 * 1024) } },
      { name: 'deep', inputSchema: { type: 'object', properties: 'DEEP' } },
    ]
    const text = JSON.stringify(tools).replace('"DEEP"', deep)
    const open = await world.opened(
      mcpServerWith({
        'tools/list': ({ id }, response) => answer(response, `{"jsonrpc":"2.0","id":${id},"result":{"tools":${text}}}`),
      }),
    )
    expect(open.tools.map(({ name, description }) => [name, description])).toEqual([
      ['good', `${'x'.repeat(998)}€…`],
      ['titled', 'Does\ufffdit'],
    ])
    expect(open.problems).toEqual([
      '10 tools cannot be used: a tool needs a unique name and a small object schema.',
    ])
  })

  test.each([
    ['is not a list', { tools: 'many' }],
    ['is missing', {}],
  ])('%s', async (_name, content) => {
    const listing = mcpServerWith({ 'tools/list': ({ id }, response) => answer(response, result(id, content)) })
    expect(await world.opening(listing)).toBe(notMcp)
  })

  test('is not requested when the server has no tools', async () => {
    const open = await world.opened(
      mcpServerWith({
        initialize: ({ id, params }, response) =>
          answer(response, result(id, { ...params, capabilities: {}, serverInfo: { name: 'a'.repeat(200), version: '1' } })),
        'tools/list': () => expect.fail('the list was requested'),
      }),
    )
    expect([open.tools, open.problems]).toEqual([[], ['The server offers no tools.']])
    expect(open.server).toEqual({ name: `${'a'.repeat(99)}…`, version: '1' })
  })
})
