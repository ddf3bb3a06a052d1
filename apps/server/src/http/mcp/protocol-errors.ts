import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../domain/refusal.ts'
import { asRefusal, errorBody } from '../errors.ts'
import { errorCodes } from '../../model/error-code.ts'

/** JSON-RPC error codes; `server` is for errors without a specific code. Copied from the SDK, which is loaded only on demand. */
const protocolCodes = { parse: -32700, request: -32600, internal: -32603, server: -32000 }

/**
 * Reports errors that occur before a message is processed, as JSON-RPC: `data` is the error body of the REST API, and the status is
 * the same.
 */
export function makeProtocolErrorHandler({ baseUrl }: { baseUrl: string }) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = asRefusal(error)
    if (!refusal) request.log.error({ err: error }, 'request failed: internal error')
    const code = refusal?.code ?? 'internal_error'
    const message =
      refusal?.message ?? `Internal error. Contact your administrator and quote the request id ${request.id}.`
    if (code === 'unauthenticated') reply.header('www-authenticate', 'Bearer')
    const data = errorBody({ baseUrl, code, message, details: refusal?.details })
    return reply
      .code(errorCodes[code].status)
      .type('application/json; charset=utf-8')
      .send({ jsonrpc: '2.0', id: null, error: { code: protocolCodeOf(refusal, request), message, data } })
  }
}

function protocolCodeOf(refusal: Refusal | undefined, { body }: FastifyRequest): number {
  if (!refusal) return protocolCodes.internal
  if (refusal.code !== 'invalid_request') return protocolCodes.server
  return body === undefined || body === null ? protocolCodes.parse : protocolCodes.request
}

/** As required by the transports chapter of the protocol for a server without streams and sessions. */
export function answerNotAllowed(request: FastifyRequest, reply: FastifyReply) {
  const message =
    `${request.method} is not supported: this server has no streams and no sessions. ` +
    'Send each message with POST.'
  return reply
    .code(405)
    .header('allow', 'POST')
    .send({ jsonrpc: '2.0', id: null, error: { code: protocolCodes.server, message } })
}
