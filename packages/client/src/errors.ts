import type { ErrorCode, LatestRun } from './generated/schemas.ts'

/**
 * Everything this library throws is a `QuerypostError`, except an abort, which stays the platform's (`signal.reason`), and an
 * invalid call (`TypeError`). Catch `QuerypostError` for all of them, catch a subclass for one kind, or compare `code`.
 */
export type AnyErrorCode = ErrorCode | ClientErrorCode

/** Codes that come from the client itself. */
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
  currentVersion?: string | undefined
  cause?: unknown
}

export class QuerypostError extends Error {
  override readonly name: string = 'QuerypostError'
  /** Stable. A newer service may send a code that this version does not know: handle it by its status. */
  readonly code: AnyErrorCode
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined
  readonly documentationUrl: string | undefined
  /** Which parts of the request are at fault. */
  readonly details: ErrorDetail[]
  /** How long the service asks to wait before the next attempt, if it does (429 and 503). */
  readonly retryAfterMs: number | undefined
  /**
   * True if the request may have been carried out despite the error: the connection was lost, the request timed out, or the service
   * (or a proxy) failed on the way. Not for 503, which means that the request was not handled.
   */
  readonly isOutcomeUnknown: boolean
  /** With `version_conflict`: the version that the object has now. */
  readonly currentVersion: string | undefined

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId
    this.documentationUrl = facts.documentationUrl
    this.details = facts.details ?? []
    this.retryAfterMs = facts.retryAfterMs
    this.currentVersion = facts.currentVersion
    const { status = 0 } = facts
    this.isOutcomeUnknown = facts.isOutcomeUnknown ?? (status >= 500 && status !== 503)
  }
}

/** 401: there is no valid API key. */
export class AuthenticationError extends QuerypostError {
  override readonly name = 'AuthenticationError'
}

/** 403: the key is valid but may not do this. */
export class PermissionError extends QuerypostError {
  override readonly name = 'PermissionError'
}

/** 404: no such object in the key's organization, or the result is not available (any more). */
export class NotFoundError extends QuerypostError {
  override readonly name = 'NotFoundError'
}

/**
 * 404 `route_retired`: the query interface is permanently retired on this service. Not a `NotFoundError`, because code that treats
 * "not found" as an ordinary answer must not treat this as one.
 */
export class RouteRetiredError extends QuerypostError {
  override readonly name = 'RouteRetiredError'
}

/** 409, 412: not possible now, for example because a query is already running, or because someone else has changed the object. */
export class ConflictError extends QuerypostError {
  override readonly name = 'ConflictError'
}

/** 400, 413, 422: the request is not valid. `details` names the places, if known. */
export class ValidationError extends QuerypostError {
  override readonly name: string = 'ValidationError'
}

/** The cursor has expired: start again without a cursor. */
export class CursorExpiredError extends ValidationError {
  override readonly name = 'CursorExpiredError'
}

/** 429: too many requests. */
export class RateLimitError extends QuerypostError {
  override readonly name = 'RateLimitError'
}

/** 5xx: an error of the service, or of a proxy in front of it. */
export class ServiceError extends QuerypostError {
  override readonly name = 'ServiceError'
}

/** There is no response: the service cannot be reached, or the connection was lost (`isOutcomeUnknown`). */
export class ConnectionError extends QuerypostError {
  override readonly name = 'ConnectionError'
  constructor(facts: Omit<ErrorFacts, 'code'> & { isOutcomeUnknown: boolean }) {
    super({ ...facts, code: 'connection_failed' })
  }
}

/** A request, or the whole call, timed out. */
export class TimeoutError extends QuerypostError {
  override readonly name = 'TimeoutError'
  readonly timeoutMs: number
  constructor(facts: Omit<ErrorFacts, 'code'> & { timeoutMs: number }) {
    super({ ...facts, code: 'timed_out', isOutcomeUnknown: true })
    this.timeoutMs = facts.timeoutMs
  }
}

/** The run that was waited for has failed. */
export class RunFailedError extends QuerypostError {
  override readonly name = 'RunFailedError'
  /** The reason, for people. */
  readonly reason: string
  readonly run: Pick<LatestRun, 'id' | 'status'>
  constructor(facts: { message: string; reason: string; run: Pick<LatestRun, 'id' | 'status'> }) {
    super({ code: 'run_failed', message: facts.message })
    this.reason = facts.reason
    this.run = facts.run
  }
}
