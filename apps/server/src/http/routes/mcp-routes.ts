import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { scopesOfAssistant } from '../../domain/access/scopes.ts'
import { Refusal } from '../../domain/refusal.ts'
import { callerOf } from '../authenticate.ts'
import { answerNotAllowed, makeProtocolErrorHandler } from '../mcp/protocol-errors.ts'
import type { ToolServices } from '../mcp/tool.ts'
import type { Api } from '../typed.ts'

const address = '/mcp'
/** Only for the log; the client is gone. */
const clientLeft = 499
const bothKinds = 'application/json, text/event-stream'

/**
 * The Model Context Protocol over streamable HTTP, without sessions. A client that asks for progress gets an event stream that ends
 * with the answer; all others get JSON.
 */
export function mcpRoutes(api: Api, services: ToolServices): void {
  const { baseUrl, log } = services
  const stopping = new AbortController()
  api.addHook('preClose', async () => stopping.abort())
  api.setErrorHandler(makeProtocolErrorHandler({ baseUrl }))
  const hidden = { schema: { hide: true } }

  api.post(address, hidden, async (request, reply) => {
    const message = checkMessage(request.body)
    const left = new Promise<undefined>((resolve) => reply.raw.once('close', () => resolve(undefined)))
    const { rejectParams, makeServer, WebStandardStreamableHTTPServerTransport } = await loadProtocol()
    const rejected = rejectParams(message)
    if (rejected) return rejected
    const caller = callerOf(request)
    const scopes = scopesOfAssistant(request.key!)
    const server = makeServer({ services, caller, scopes, requestId: request.id, log, stopping: stopping.signal })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !wantsProgress(message) })
    await server.connect(transport)
    // Aborts running tool calls and stops the stream's keep-alive.
    void left.then(() => server.close())
    const url = new URL(address, baseUrl)
    const posted = new Request(url, { method: 'POST', headers: headersOf(request) })
    const answer = await Promise.race([transport.handleRequest(posted, { parsedBody: message }), left])
    return answer ? send(reply, answer) : reply.code(clientLeft).send()
  })

  const notAllowed = { ...hidden, config: { isNotAllowed: true } }
  api.get(address, notAllowed, async (request, reply) => answerNotAllowed(request, reply))
  api.delete(address, notAllowed, async (request, reply) => answerNotAllowed(request, reply))
}

/** Loaded with the first message: the SDK would add a tenth to the start time, and most processes never get a message. */
async function loadProtocol() {
  const [params, server, transport] = await Promise.all([
    import('../mcp/check-params.ts'),
    import('../mcp/make-server.ts'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ])
  return { ...params, ...server, ...transport }
}

/**
 * Rejects requests from pages of other sites, which browsers identify by the Origin header. The Host header does not help: with DNS
 * rebinding, another site's name may point to this machine.
 */
export function makeStrictOriginHook(options: { baseUrl: string }) {
  const own = new URL(options.baseUrl).origin
  return async ({ headers }: FastifyRequest): Promise<void> => {
    if (headers.origin === undefined || headers.origin === own) return
    throw new Refusal('forbidden', 'This request comes from a page of another site and was rejected.')
  }
}

function checkMessage(body: unknown): object {
  if (Array.isArray(body)) throw new Refusal('invalid_request', 'Send one message at a time: batches are not supported.')
  if (typeof body === 'object' && body !== null) return body
  throw new Refusal('invalid_request', 'Send a JSON-RPC message as the body.')
}

function wantsProgress({ params }: { params?: { _meta?: { progressToken?: unknown } | null } | null }): boolean {
  const { _meta: meta } = params ?? {}
  return meta?.progressToken !== undefined
}

/** The transport requires both content types in Accept; a client that accepts anything accepts both. */
function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const accept = headers.accept === undefined || headers.accept.includes('*/*') ? bothKinds : headers.accept
  const version = headers['mcp-protocol-version']
  return {
    accept,
    'content-type': 'application/json',
    ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
  }
}

async function send(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const type = answer.headers.get('content-type')
  reply.code(answer.status)
  if (type === null || answer.body === null) return reply.send()
  reply.type(type)
  if (type !== 'text/event-stream') return reply.send(await answer.text())
  // A proxy that buffers the response would hold events back.
  reply.headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
  return reply.send(Readable.fromWeb(answer.body as ReadableStream))
}
