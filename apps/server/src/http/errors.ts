import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, type RefusalDetail, type RefusalFigures } from '../domain/refusal.ts'
import { type ErrorCode, errorCodes } from '../model/error-code.ts'
import { StoreUnavailable } from '../store/store-unavailable.ts'
import { uuidPattern } from './schemas.ts'

export interface ErrorBody extends Partial<RefusalFigures> {
  type: 'invalid_request' | 'api_error'
  code: ErrorCode
  message: string
  documentation_url: string
  details?: RefusalDetail[]
  currentVersion?: string
}

export function errorBody(options: {
  baseUrl: string
  code: ErrorCode
  message: string
  details?: RefusalDetail[] | undefined
  figures?: RefusalFigures | undefined
  currentVersion?: string | undefined
}): ErrorBody {
  return {
    type: errorCodes[options.code].status >= 500 ? 'api_error' : 'invalid_request',
    code: options.code,
    message: options.message,
    documentation_url: `${options.baseUrl}/docs/errors#${options.code}`,
    ...(options.details && { details: options.details }),
    ...options.figures,
    ...(options.currentVersion !== undefined && { currentVersion: options.currentVersion }),
  }
}

/** Responds to whatever a route threw: rejections with their message, internal errors without their details. */
export function makeErrorHandler(options: { baseUrl: string }) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = asRefusal(error)
    if (!refusal) request.log.error({ err: error }, 'request failed: internal error')
    if (refusal === storeUnavailable) request.log.warn({ err: error }, 'request failed: store unavailable')
    const code = refusal?.code ?? 'internal_error'
    const message =
      refusal?.message ?? `Internal error. Contact your administrator and quote the request id ${request.id}.`
    if (errorCodes[code].status === 401) reply.header('www-authenticate', 'Bearer')
    if (refusal?.retryAfterMs !== undefined) reply.header('retry-after', retryAfterSeconds(refusal.retryAfterMs))
    return reply
      .code(errorCodes[code].status)
      .type('application/json; charset=utf-8')
      .send(errorBody({ ...options, ...partsOf(refusal), code, message }))
  }
}

const partsOf = (refusal: Refusal | undefined) => ({
  details: refusal?.details,
  figures: refusal?.figures,
  currentVersion: refusal?.currentVersion,
})

/** An outage of the store usually lasts seconds: a restart, or a failover to a replica. */
const storeUnavailable = new Refusal(
  'store_unavailable',
  'The service cannot reach its own database. Changes that were not confirmed were not saved. Try again in a few seconds.',
  undefined,
  { retryAfterMs: 5_000 },
)

/** Whole seconds, rounded up, so that a client that waits this long is never too early. */
const retryAfterSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000))

export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof StoreUnavailable) return storeUnavailable
  // JavaScript can throw anything, even undefined.
  const fault = (error ?? {}) as Partial<FastifyError>
  if (fault.validation) return validationRefusal(fault)
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Refusal('body_too_large', 'The request body is larger than the limit of 1 MiB.')
  }
  // The remaining 4xx errors are requests that Fastify could not read: a wrong content length, a malformed URL and the like.
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
  if (fault.keyword === 'additionalProperties') return 'is not a known field; remove it'
  if (fault.keyword === 'required') return 'is required'
  if (fault.keyword === 'enum') return `must be one of ${(fault.params['allowedValues'] as string[]).join(', ')}`
  if (fault.params['format'] === 'uuid' || fault.params['pattern'] === uuidPattern) return 'must be a UUID'
  return fault.message ?? 'is not valid'
}
