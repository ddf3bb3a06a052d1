import type { ErrorCode, LatestRun } from './generated/schemas.ts'

/**
 * Everything this library throws, but for an abort, which stays the platform's (`signal.reason`), and for a call that
 * no service could answer (`TypeError`). Catch `QuerypostError` for all of them, a subclass for a kind, or compare
 * `code`.
 */
export type AnyErrorCode = ErrorCode | ClientErrorCode

/** What only the client can know. */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'run_failed' | 'unexpected_answer'

export interface ErrorDetail {
  /** `/title` for a field of the body, `limit` for a query parameter. */
  path: string
  message: string
}

export interface ErrorFacts {
  code: AnyErrorCode
  message: string
  status?: number | undefined
  requestId?: string | undefined
  documentationUrl?: string | undefined
  details?: ErrorDetail[] | undefined
  retryAfterMs?: number | undefined
  isOutcomeUnknown?: boolean
  cause?: unknown
}

export class QuerypostError extends Error {
  override readonly name: string = 'QuerypostError'
  /** Stable. A newer service may send one that this version does not know: treat it by its status. */
  readonly code: AnyErrorCode
  /** Of the HTTP answer; undefined when there was none. */
  readonly status: number | undefined
  /** Names the request in the service's log. */
  readonly requestId: string | undefined
  readonly documentationUrl: string | undefined
  /** Which parts of the request are at fault. */
  readonly details: ErrorDetail[]
  /** How long the service asks to wait before the next attempt, where it does (429 and 503). */
  readonly retryAfterMs: number | undefined
  /**
   * True when the request may have been carried out all the same: the connection was lost, its time was up, or the
   * service (or a proxy) broke on the way. 503 is none of them: it says that the request was not handled.
   */
  readonly isOutcomeUnknown: boolean

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId
    this.documentationUrl = facts.documentationUrl
    this.details = facts.details ?? []
    this.retryAfterMs = facts.retryAfterMs
    const { status = 0 } = facts
    this.isOutcomeUnknown = facts.isOutcomeUnknown ?? (status >= 500 && status !== 503)
  }
}

/** 401: there is no valid API key. */
export class AuthenticationError extends QuerypostError {
  override readonly name = 'AuthenticationError'
}

/** 403: the key is known, and may not do this. */
export class PermissionError extends QuerypostError {
  override readonly name = 'PermissionError'
}

/** 404: there is no such thing in the key's organization, or a result is not there (any more). */
export class NotFoundError extends QuerypostError {
  override readonly name = 'NotFoundError'
}

/**
 * 404 `route_retired`: the query interface is retired on this service, for good. Not a `NotFoundError`, since code
 * that takes "not found" for an ordinary answer must not take this for one.
 */
export class RouteRetiredError extends QuerypostError {
  override readonly name = 'RouteRetiredError'
}

/** 409: not now, such as a query that is running already. */
export class ConflictError extends QuerypostError {
  override readonly name = 'ConflictError'
}

/** 400, 413, 422: the request is not valid. `details` names the places, where they are known. */
export class ValidationError extends QuerypostError {
  override readonly name: string = 'ValidationError'
}

/** The list has gone on without us: start again without a cursor. */
export class CursorExpiredError extends ValidationError {
  override readonly name = 'CursorExpiredError'
}

/** 429: too many requests. */
export class RateLimitError extends QuerypostError {
  override readonly name = 'RateLimitError'
}

/** 5xx: a fault of the service, or of what stands before it. */
export class ServiceError extends QuerypostError {
  override readonly name = 'ServiceError'
}

/** There is no answer: the service cannot be reached, or the connection was lost (`isOutcomeUnknown`). */
export class ConnectionError extends QuerypostError {
  override readonly name = 'ConnectionError'
  constructor(facts: Omit<ErrorFacts, 'code'> & { isOutcomeUnknown: boolean }) {
    super({ ...facts, code: 'connection_failed' })
  }
}

/** The time of a request, or of the whole call, is up. */
export class TimeoutError extends QuerypostError {
  override readonly name = 'TimeoutError'
  readonly timeoutMs: number
  constructor(facts: Omit<ErrorFacts, 'code'> & { timeoutMs: number }) {
    super({ ...facts, code: 'timed_out', isOutcomeUnknown: true })
    this.timeoutMs = facts.timeoutMs
  }
}

/** What was waited for has ended, and failed. */
export class RunFailedError extends QuerypostError {
  override readonly name = 'RunFailedError'
  /** Why, for people. */
  readonly reason: string
  readonly run: Pick<LatestRun, 'id' | 'status'>
  constructor(facts: { message: string; reason: string; run: Pick<LatestRun, 'id' | 'status'> }) {
    super({ code: 'run_failed', message: facts.message })
    this.reason = facts.reason
    this.run = facts.run
  }
}
