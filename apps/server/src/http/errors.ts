import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, type RefusalCode, type RefusalDetail } from '../domain/refusal.ts'
import { StoreUnavailable } from '../store/store-unavailable.ts'
import { uuidPattern } from './schemas.ts'

/** `internal_error` is the one answer that is not a refusal: a fault of ours. */
export type ErrorCode = RefusalCode | 'internal_error'

/** The only place where a code gets its HTTP status. */
export const statusOf: Record<ErrorCode, number> = {
  invalid_request: 400,
  cursor_invalid: 400,
  cursor_expired: 400,
  unauthenticated: 401,
  forbidden: 403,
  method_not_allowed: 405,
  route_not_found: 404,
  route_retired: 404,
  reference_not_found: 404,
  query_not_found: 404,
  run_not_found: 404,
  database_not_found: 404,
  table_not_found: 404,
  api_key_not_found: 404,
  organization_not_found: 404,
  member_not_found: 404,
  invitation_not_found: 404,
  session_not_found: 404,
  link_not_valid: 404,
  endpoint_not_found: 404,
  delivery_not_found: 404,
  automation_not_found: 404,
  automation_run_not_found: 404,
  chat_not_found: 404,
  data_connector_not_found: 404,
  result_not_available: 404,
  result_expired: 404,
  last_admin: 409,
  organization_changed: 409,
  database_unreachable: 409,
  database_in_use: 409,
  table_exists: 409,
  table_unreadable: 409,
  query_already_running: 409,
  run_already_ended: 409,
  automation_already_running: 409,
  chat_already_answering: 409,
  model_not_configured: 409,
  endpoint_disabled: 409,
  secret_unreadable: 409,
  next_secret_missing: 409,
  event_expired: 409,
  count_changed: 409,
  request_timeout: 408,
  body_too_large: 413,
  file_unreadable: 422,
  parameter_missing: 422,
  parameter_invalid: 422,
  too_many_requests: 429,
  internal_error: 500,
  store_unavailable: 503,
}

export interface ErrorBody {
  type: 'invalid_request' | 'api_error'
  code: ErrorCode
  message: string
  documentation_url: string
  details?: RefusalDetail[]
}

export function errorBody(options: {
  baseUrl: string
  code: ErrorCode
  message: string
  details?: RefusalDetail[] | undefined
}): ErrorBody {
  return {
    type: statusOf[options.code] >= 500 ? 'api_error' : 'invalid_request',
    code: options.code,
    message: options.message,
    documentation_url: `${options.baseUrl}/docs/errors#${options.code}`,
    ...(options.details && { details: options.details }),
  }
}

/** Answers whatever a route threw: refusals as they are, faults of ours without their internals. */
export function makeErrorHandler(options: { baseUrl: string }) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = asRefusal(error)
    if (!refusal) request.log.error({ err: error, requestId: request.id }, 'request failed: internal error')
    if (refusal === storeUnavailable) request.log.warn({ err: error, requestId: request.id }, 'request failed: store unavailable')
    const code = refusal?.code ?? 'internal_error'
    const message =
      refusal?.message ?? `Something went wrong on our side. Tell the operator the request id ${request.id}.`
    if (code === 'unauthenticated') reply.header('www-authenticate', 'Bearer')
    if (refusal?.retryAfterMs !== undefined) reply.header('retry-after', retryAfterSeconds(refusal.retryAfterMs))
    return reply
      .code(statusOf[code])
      .type('application/json; charset=utf-8')
      .send(errorBody({ baseUrl: options.baseUrl, code, message, details: refusal?.details }))
  }
}

/** The store is usually back within seconds: it restarts, or hands over to its replica. */
const storeUnavailable = new Refusal(
  'store_unavailable',
  'The service cannot reach its store at the moment. Nothing was changed that was not confirmed. Try again in a few seconds.',
  undefined,
  { retryAfterMs: 5_000 },
)

/** Whole seconds, rounded up: a client that waits this long is never too early. */
const retryAfterSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000))

export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof StoreUnavailable) return storeUnavailable
  // Anything can be thrown, also nothing.
  const fault = (error ?? {}) as Partial<FastifyError>
  if (fault.validation) return validationRefusal(fault)
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Refusal('body_too_large', 'The request body is larger than 1 MiB. Send less.')
  }
  // What is left of 4xx are requests that Fastify could not read: bad JSON, a length that does not fit, a broken address.
  if (fault.statusCode && fault.statusCode >= 400 && fault.statusCode < 500) {
    return new Refusal('invalid_request', `The request could not be read: ${fault.message?.slice(0, 300)}.`)
  }
  return undefined
}

const whereOf = { body: '', querystring: '', params: '', headers: 'header ' } as const

function validationRefusal(error: Partial<FastifyError>): Refusal {
  const part = error.validationContext
  const details = error.validation!.map((fault) => {
    const extra = (fault.params['additionalProperty'] ?? fault.params['missingProperty']) as string | undefined
    const at = `${fault.instancePath}${extra === undefined ? '' : `/${extra}`}`
    const path = part === 'body' ? at || '/' : `${whereOf[part ?? 'body']}${at.slice(1)}`
    return { path, message: messageOf(fault) }
  })
  const first = details[0]!
  return new Refusal('invalid_request', `The request is not valid: ${first.path} ${first.message}.`, details)
}

function messageOf(fault: NonNullable<FastifyError['validation']>[number]): string {
  if (fault.keyword === 'additionalProperties') return 'is not known here; remove it'
  if (fault.keyword === 'required') return 'is required'
  if (fault.keyword === 'enum') return `must be one of ${(fault.params['allowedValues'] as string[]).join(', ')}`
  if (fault.params['format'] === 'uuid' || fault.params['pattern'] === uuidPattern) return 'must be a UUID'
  return fault.message ?? 'is not valid'
}
