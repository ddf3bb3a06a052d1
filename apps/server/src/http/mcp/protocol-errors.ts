import { ErrorCode as ProtocolCode } from '@modelcontextprotocol/sdk/types.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../domain/refusal.ts'
import { asRefusal, errorBody } from '../errors.ts'
import { errorCodes } from '../../model/error-code.ts'

/** For what has no number of its own in JSON-RPC. */
const serverError = -32000

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
  if (!refusal) return ProtocolCode.InternalError
  if (refusal.code !== 'invalid_request') return serverError
  return body === undefined || body === null ? ProtocolCode.ParseError : ProtocolCode.InvalidRequest
}

/** By the protocol's chapter on transports: a server that opens no stream and keeps no session answers so. */
export function answerNotAllowed(request: FastifyRequest, reply: FastifyReply) {
  const message =
    `${request.method} is not for this address: the server opens no stream and keeps no session. ` +
    'Send each message by POST.'
  return reply
    .code(405)
    .header('allow', 'POST')
    .send({ jsonrpc: '2.0', id: null, error: { code: serverError, message } })
}
