import type { RefusalCode } from '../model/error-code.ts'

/** Which part of the request is at fault, for forms and for people reading the answer. */
export interface RefusalDetail {
  /** For example `/title` in a body, `limit` in a query string. */
  path: string
  message: string
}

/** How much a query would read, and how much it may. */
export interface RefusalFigures {
  estimatedBytes: number
  limitBytes: number
}

/**
 * The caller asked for something that cannot be done. The code and message say why and what to do about it. Every other error is
 * a bug or a failure of the service.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly details: RefusalDetail[] | undefined
  /** How long to wait before the same request can succeed, if known. Becomes `Retry-After`. */
  readonly retryAfterMs: number | undefined
  /** Numbers for programs, which become fields of the answer. */
  readonly figures: RefusalFigures | undefined
  /** The version that the object has, if the caller named another one. */
  readonly currentVersion: string | undefined

  constructor(
    code: RefusalCode,
    message: string,
    details?: RefusalDetail[],
    options: { retryAfterMs?: number; figures?: RefusalFigures; currentVersion?: string } = {},
  ) {
    super(message)
    this.code = code
    this.details = details
    this.retryAfterMs = options.retryAfterMs
    this.figures = options.figures
    this.currentVersion = options.currentVersion
  }
}
