import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type JSONRPCMessage, JSONRPCMessageSchema, type RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { Clock } from '../../../ports/clock.ts'
import type { GuardedFetch } from '../../../ports/network/guarded-fetch.ts'
import { ConnectorFailure, notMcp } from './connector-failure.ts'
import { readEvents } from './mcp-event-stream.ts'

/**
 * A client for the protocol's "Streamable HTTP": each message is a POST, and the answer to a request arrives in the response to its own
 * POST, as JSON or as an event stream.
 *
 * Unlike the SDK's transport, `send` resolves only when the answer has arrived, so a bad response fails its request immediately instead of
 * leaving it to time out. And it deliberately omits some things:
 *
 * - It never opens the stream for unsolicited server messages and never resumes one: a response that breaks off has
 *   failed. So there are no timed reconnects at intervals chosen by the server.
 * - It follows no redirects, and sends the headers to no other URL.
 * - It reads at most `answerMaxBytes` of a response, counted after decompression.
 * - It drops notifications that come with the answer, and answers only the first few requests in a response (the client
 *   supports only `ping`), because each answer is a POST triggered by the server.
 */
export interface ConnectorTransport extends Transport {
  /** Tells the server that the session is over. Failures are ignored. */
  endSession(signal: AbortSignal): Promise<void>
}

export const answerMaxBytes = 4 * 1024 * 1024
/** How long to wait for the response to end after the answer, so that its connection can be reused. */
const lingerMs = 1000
const callbacksMax = 10

export function makeConnectorTransport(options: {
  clock: Clock
  agentFetch: GuardedFetch
  url: string
  headers: Record<string, string>
}): ConnectorTransport {
  const { clock } = options
  const closing = new AbortController()
  /** Unanswered requests and how to abort them. */
  const inFlight = new Map<RequestId, AbortController>()
  let protocolVersion: string | null = null

  const headersOf = () => ({
    ...options.headers,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(transport.sessionId !== undefined && { 'mcp-session-id': transport.sessionId }),
    ...(protocolVersion !== null && { 'mcp-protocol-version': protocolVersion }),
  })

  async function post(message: JSONRPCMessage, signal: AbortSignal): Promise<Response> {
    const body = JSON.stringify(message)
    const init = { method: 'POST', headers: headersOf(), body, signal, redirect: 'manual' } as const
    const response = await options.agentFetch(options.url, init)
    const fault = faultOf(response, transport.sessionId !== undefined)
    if (fault) {
      await response.body?.cancel()
      throw new ConnectorFailure(fault)
    }
    return response
  }

  async function ask(message: JSONRPCMessage, id: RequestId): Promise<void> {
    const cut = new AbortController()
    const over = new AbortController()
    const stop = () => cut.abort()
    inFlight.set(id, cut)
    closing.signal.addEventListener('abort', stop)
    let isAnswered = false
    let callbackCount = 0
    try {
      const response = await post(message, cut.signal)
      if ('method' in message && message.method === 'initialize') transport.sessionId = sessionIdOf(response)
      for await (const text of messagesOf(response)) {
        for (const given of parse(text)) {
          if ('method' in given) {
            if ('id' in given && callbackCount++ < callbacksMax) transport.onmessage?.(given)
          } else if (given.id === id && !isAnswered) {
            isAnswered = true
            void clock.sleep(lingerMs, over.signal).then(stop)
            transport.onmessage?.(given)
          }
        }
      }
      if (!isAnswered) throw new ConnectorFailure('The response ended without an answer to the request.')
    } catch (error) {
      if (!isAnswered) throw error
    } finally {
      over.abort()
      inFlight.delete(id)
      closing.signal.removeEventListener('abort', stop)
    }
  }

  const transport: ConnectorTransport = {
    async start() {},
    async send(message) {
      closing.signal.throwIfAborted()
      if ('method' in message && 'id' in message) return ask(message, message.id)
      if ('method' in message && message.method === 'notifications/cancelled') {
        inFlight.get(message.params?.['requestId'] as RequestId)?.abort()
      }
      const response = await post(message, closing.signal)
      await response.body?.cancel()
    },
    async close() {
      closing.abort()
      transport.onclose?.()
    },
    setProtocolVersion(version) {
      protocolVersion = version
    },
    async endSession(signal) {
      if (transport.sessionId === undefined) return
      const init = { method: 'DELETE', headers: headersOf(), signal, redirect: 'manual' } as const
      await options.agentFetch(options.url, init).then((response) => response.body?.cancel(), () => {})
    },
  }
  return transport
}

function faultOf({ status }: Response, isInSession: boolean): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    return `The server responded with a redirect (${status}), which is not followed. Enter the address it redirects to.`
  }
  if (status === 401 || status === 403) return `The server rejected the request (${status}). Check the connector’s headers.`
  if (status === 404 && isInSession) return 'The server ended the session (404).'
  if (status === 404 || status === 405) {
    return `The server responded with ${status}. Check that the URL is the address of an MCP server (Streamable HTTP).`
  }
  if (status === 429) return 'The server is rate limiting requests (429). Try again later.'
  return status >= 500 ? `The server failed (${status}).` : `The server rejected the request (${status}).`
}

/** As the protocol requires: visible ASCII. Anything else could not be sent back. */
function sessionIdOf(response: Response): string | undefined {
  const id = response.headers.get('mcp-session-id')
  return id !== null && /^[\x21-\x7e]{1,1024}$/.test(id) ? id : undefined
}

async function* messagesOf(response: Response): AsyncGenerator<string> {
  const type = response.headers.get('content-type')?.split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'text/event-stream') return yield* readEvents(bytesOf(response))
  if (type !== 'application/json') {
    await response.body?.cancel()
    throw notMcp()
  }
  const pieces: Uint8Array[] = []
  for await (const piece of bytesOf(response)) pieces.push(piece)
  yield new TextDecoder().decode(Buffer.concat(pieces))
}

async function* bytesOf(response: Response): AsyncGenerator<Uint8Array> {
  let readBytes = 0
  // Leaving the loop in any way cancels the body.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    readBytes += chunk.length
    if (readBytes > answerMaxBytes) {
      throw new ConnectorFailure(`The response is larger than ${answerMaxBytes / 1024 / 1024} MB.`)
    }
    yield chunk
  }
}

/** One message, or a batch, as older versions of the protocol allow. */
function parse(text: string): JSONRPCMessage[] {
  const value: unknown = JSON.parse(text)
  return [value].flat().map((each) => {
    const { success, data } = JSONRPCMessageSchema.safeParse(each)
    if (!success) throw notMcp()
    return data
  })
}
