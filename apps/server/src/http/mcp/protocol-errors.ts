import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../domain/refusal.ts'
import { asRefusal, errorBody } from '../errors.ts'
import { errorCodes } from '../../model/error-code.ts'

/** The numbers of JSON-RPC; `server` is for what has none of its own. The SDK has them too, and is loaded with the first message. */
const protocolCodes = { parse: -32700, request: -32600, internal: -32603, server: -32000 }

/**
 * Answers what went wrong before there was a message to answer, in the form of JSON-RPC: `data` is the body that REST
 * would answer, and the status is the same.
 */
export function makeProtocolErrorHandler({ baseUrl }: { baseUrl: string }) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = asRefusal(error)
    if (!refusal) request.log.error({ err: error, requestId: request.id }, 'a request failed for a reason of ours')
    const code = refusal?.code ?? 'internal_error'
    const message =
      refusal?.message ?? `Something went wrong on our side. Tell the operator the request id ${request.id}.`
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

/** By the protocol's chapter on transports: a server that opens no stream and keeps no session answers so. */
export function answerNotAllowed(request: FastifyRequest, reply: FastifyReply) {
  const message =
    `${request.method} is not for this address: the server opens no stream and keeps no session. ` +
    'Send each message by POST.'
  return reply
    .code(405)
    .header('allow', 'POST')
    .send({ jsonrpc: '2.0', id: null, error: { code: protocolCodes.server, message } })
}
