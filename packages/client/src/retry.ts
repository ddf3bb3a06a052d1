import { ConnectionError, type QuerypostError } from './errors.ts'

/**
 * Decides whether a request is retried:
 *
 * - 429 and 503 mean that the request was not carried out, and a connection that was never made carried nothing: any request is
 *   retried.
 * - After another 5xx, a lost connection or a timeout, it is unknown whether the request was carried out. Only idempotent requests are
 *   retried: reads, `PUT`, which sets a state, and `POST` with an Idempotency-Key, which the service carries out once. A second delete
 *   would return 404.
 * - Nothing else is retried, in particular no 404, which includes retired routes.
 */
export function mayRetry(error: QuerypostError, { isIdempotent }: { isIdempotent: boolean }): boolean {
  if (error.isOutcomeUnknown) return isIdempotent
  return error.status === 429 || error.status === 503 || error instanceof ConnectionError
}

const firstWaitMs = 500
const longestWaitMs = 8000
/** If the service asks for more, the request is not retried: its error says how long to wait. */
const longestAskedMs = 60_000

/**
 * The wait before the next attempt: doubles each time, with full jitter, and at least as long as the service asks. Undefined if
 * that is too long.
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

/** Error codes of runtimes for a connection that was never made. Any other connection may have carried the request. */
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
    // A name with several addresses, all of which were tried.
    if (Array.isArray(errors) && errors.length > 0 && errors.every(wasNeverConnected)) return true
  }
  return false
}
