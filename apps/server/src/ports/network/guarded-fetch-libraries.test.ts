import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { APICallError, streamText } from 'ai'
import { afterEach, expect, test } from 'vitest'
import { openAgentFetch } from '../../../testing/agent-fetch.ts'
import { startMcpServer } from '../../../testing/servers/mcp-server.ts'
import { GuardedFetchError } from './guarded-fetch-error.ts'

/** The libraries that are given this `fetch` use it like the ordinary one. */
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

function agentFetch(allowed?: string) {
  const opened = openAgentFetch(allowed === undefined ? {} : { allowed })
  ends.push(() => opened.close())
  return opened.fetch
}

/** The outcome of a question to a model at this address: its text, or the error. */
async function asked(baseURL: string, fetch = agentFetch()): Promise<unknown> {
  const provider = createOpenAICompatible({ name: 'test', baseURL, fetch })
  let failure: unknown
  const { textStream } = streamText({
    model: provider('m'),
    prompt: 'Hello?',
    maxRetries: 0,
    onError: ({ error }) => void (failure = error),
  })
  let text = ''
  for await (const piece of textStream) text += piece
  return failure ?? text
}

test('the AI SDK streams through it', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [content, finish_reason] of [['Good ', null], ['day.', null], ['', 'stop']]) {
      const choices = [{ index: 0, delta: { role: 'assistant', content }, finish_reason }]
      response.write(`data: ${JSON.stringify({ id: '1', choices })}\n\n`)
    }
    response.end('data: [DONE]\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  try {
    expect(await asked(url)).toBe('Good day.')
  } finally {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  const failure = await asked(url)
  expect(APICallError.isInstance(failure) && failure.isRetryable && failure.message).toContain('could not be reached')
})

test('the AI SDK does not retry forbidden addresses', async () => {
  const failure = await asked('https://10.0.0.1/v1', agentFetch(''))
  expect(failure).toBeInstanceOf(GuardedFetchError)
  expect((failure as Error).message).toContain('Set AGENT_ALLOWED_NETWORKS to allow it.')
})

test("the MCP SDK's own transport works with it", async () => {
  const server = await startMcpServer()
  ends.push(() => server.close())
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(server.url), { fetch: agentFetch() })
  await client.connect(transport)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['lookup_customer', 'failing_tool'])
  await client.close()
})
