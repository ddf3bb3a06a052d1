import type { Clock } from './clock.ts'
import {
  AuthenticationError,
  ConflictError,
  CursorExpiredError,
  type ErrorFacts,
  NotFoundError,
  PermissionError,
  QuerypostError,
  RateLimitError,
  RouteRetiredError,
  ServiceError,
  ValidationError,
} from './errors.ts'
import type { ErrorBody } from './generated/schemas.ts'

/** The error for a response. The body may be foreign: proxies write their own errors. */
export async function readError(response: Response, options: { requestId: string; clock: Clock }): Promise<QuerypostError> {
  const body = parsed(await response.text())
  const facts: ErrorFacts = {
    code: body?.code ?? 'unexpected_answer',
    message: body?.message ?? unexpected(response),
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? options.requestId,
    documentationUrl: body?.documentation_url,
    details: body?.details,
    currentVersion: body?.currentVersion,
    retryAfterMs: readRetryAfter(response.headers.get('retry-after'), options.clock),
  }
  return new (classOf(facts))(facts)
}

function classOf({ status = 0, code }: ErrorFacts): new (facts: ErrorFacts) => QuerypostError {
  if (code === 'route_retired') return RouteRetiredError
  if (code === 'cursor_expired') return CursorExpiredError
  if (status >= 500) return ServiceError
  return byStatus[status] ?? QuerypostError
}

const byStatus: Record<number, new (facts: ErrorFacts) => QuerypostError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  413: ValidationError,
  422: ValidationError,
  429: RateLimitError,
}

function parsed(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null
    return typeof body?.code === 'string' && typeof body.message === 'string' ? (body as ErrorBody) : undefined
  } catch {
    return undefined
  }
}

function unexpected({ status, headers, type }: Response): string {
  const at = headers.get('location')
  if (at !== null) return `The service responded with a redirect to ${at}. Use the address it redirects to as baseUrl.`
  if (type === 'opaqueredirect') return 'The service responded with a redirect. Use the address it redirects to as baseUrl.'
  return `Unexpected response with status ${status}. Check that baseUrl is the address of a Querypost service.`
}

/** Seconds or a date. Undefined for anything else. */
export function readRetryAfter(header: string | null, clock: Pick<Clock, 'now'>): number | undefined {
  if (header === null) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now().getTime())
}
