import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import type { ErrorCode } from '../../src/model/error-code.ts'

/** The official MCP client, as assistants use it. It validates every answer against the tool's output schema. */
export interface TestClient {
  client: Client
  /** The tool's answer. Fails the test if the tool refused. */
  call<Answer = Record<string, unknown>>(name: string, input?: object, options?: RequestOptions): Promise<Answer>
  /** The tool's refusal. Fails the test if there was none. */
  refusal(name: string, input?: object): Promise<ToolRefusal>
  /** The whole result. */
  result(name: string, input?: object, options?: RequestOptions): Promise<CallToolResult>
}

export interface ToolRefusal {
  type: string
  code: ErrorCode
  message: string
  documentation_url: string
  details?: { path: string; message: string }[]
  hint?: string
}

export async function listenAt(app: FastifyInstance): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/mcp`
}

export async function connect(
  url: string,
  apiKey: string,
  options: { fetch?: typeof globalThis.fetch } = {},
): Promise<TestClient> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${apiKey}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit, ...options }))
  await client.listTools()
  const result = async (name: string, input: object = {}, requestOptions?: RequestOptions) =>
    (await client.callTool({ name, arguments: { ...input } }, undefined, requestOptions)) as CallToolResult
  return {
    client,
    result,
    async call<Answer>(name: string, input?: object, requestOptions?: RequestOptions) {
      const answer = await result(name, input, requestOptions)
      expect(answer.isError, textOf(answer)).toBeUndefined()
      expect(JSON.parse(textOf(answer))).toEqual(answer.structuredContent)
      return answer.structuredContent as Answer
    },
    async refusal(name, input) {
      const answer = await result(name, input)
      expect(answer.isError, textOf(answer)).toBe(true)
      expect(answer.structuredContent).toBeUndefined()
      return JSON.parse(textOf(answer)) as ToolRefusal
    },
  }
}

function textOf({ content }: CallToolResult): string {
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }])
  return (content[0] as { text: string }).text
}
