/**
 * A refusal is an answer, not an accident: the caller asked for something that cannot be done, and the code
 * and message say what and what to do about it. Anything else that is thrown is a fault of ours.
 *
 * Every code the service can answer with stands here once. `http/errors.ts` gives each its status;
 * `docs/errors.md` explains each, and a test holds the three together.
 */
export const refusalCodes = [
  'invalid_request',
  'body_too_large',
  'request_timeout',
  'unauthenticated',
  'forbidden',
  'route_not_found',
  'method_not_allowed',
  'route_retired',
  'reference_not_found',
  'query_not_found',
  'run_not_found',
  'database_not_found',
  'database_unreachable',
  'database_in_use',
  'table_not_found',
  'table_exists',
  'table_unreadable',
  'file_unreadable',
  'api_key_not_found',
  'organization_not_found',
  'organization_changed',
  'member_not_found',
  'last_admin',
  'invitation_not_found',
  'session_not_found',
  'link_not_valid',
  'endpoint_not_found',
  'endpoint_disabled',
  'secret_unreadable',
  'next_secret_missing',
  'delivery_not_found',
  'event_expired',
  'count_changed',
  'automation_not_found',
  'automation_run_not_found',
  'automation_already_running',
  'chat_not_found',
  'chat_already_answering',
  'model_not_configured',
  'data_connector_not_found',
  'result_not_available',
  'result_expired',
  'cursor_invalid',
  'cursor_expired',
  'query_already_running',
  'run_already_ended',
  'parameter_missing',
  'parameter_invalid',
  'too_many_requests',
  'store_unavailable',
] as const

export type RefusalCode = (typeof refusalCodes)[number]

/** Which part of the request is at fault, for forms and for people reading the answer. */
export interface RefusalDetail {
  /** For example `/title` in a body, `limit` in a query string. */
  path: string
  message: string
}

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly details: RefusalDetail[] | undefined
  /** How long to wait before the same request can succeed, where that is known. Becomes `Retry-After`. */
  readonly retryAfterMs: number | undefined

  constructor(code: RefusalCode, message: string, details?: RefusalDetail[], options: { retryAfterMs?: number } = {}) {
    super(message)
    this.code = code
    this.details = details
    this.retryAfterMs = options.retryAfterMs
  }
}
