import { ConnectionError, type QuerypostError } from './errors.ts'

/**
 * Whether a request is sent again, decided from what came of it:
 *
 * - 429 and 503 say that the request was not carried out, and a connection that was never made carried nothing: any
 *   request is sent again.
 * - Another 5xx, a lost connection and a time that is up leave it open whether it was carried out. Only what does no
 *   harm twice is sent again: reading, and `PUT`, which says how things shall be. A refresh would run again or meet
 *   itself (409), a second create make a second reference, a second run of an automation tell everybody again, a
 *   second delete say 404 of what the first did.
 * - Nothing else is: above all no 404, of which a retired route is one.
 */
export function mayRepeat(error: QuerypostError, { isHarmlessTwice }: { isHarmlessTwice: boolean }): boolean {
  if (error.isOutcomeUnknown) return isHarmlessTwice
  return error.status === 429 || error.status === 503 || error instanceof ConnectionError
}

const firstWaitMs = 500
const longestWaitMs = 8000
/** A service that asks for more is not waited for: its error says how long. */
const longestAskedMs = 60_000

/**
 * Before the next attempt: grows twofold, any part of it (full jitter); at least what the service asks for.
 * Undefined: too long.
 */
export function retryWaitMs(options: {
  /** 1 after the first attempt. */
  attempt: number
  retryAfterMs: number | undefined
  random(): number
}): number | undefined {
  const { attempt, retryAfterMs = 0, random } = options
  if (retryAfterMs > longestAskedMs) return undefined
  return retryAfterMs + random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1))
}

/**
 * Names that runtimes give to a connection that was never made. What is not among them may have carried the request.
 */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
])

export function wasNeverConnected(error: unknown): boolean {
  for (let each = error; typeof each === 'object' && each !== null; each = (each as { cause?: unknown }).cause) {
    const { code, errors } = each as { code?: unknown; errors?: unknown }
    if (typeof code === 'string' && neverConnected.has(code)) return true
    // A name with several addresses: all were tried.
    if (Array.isArray(errors) && errors.length > 0 && errors.every(wasNeverConnected)) return true
  }
  return false
}
