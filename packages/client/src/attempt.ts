import type { Clock } from './clock.ts'
import { ConnectionError } from './errors.ts'
import { readError } from './read-error.ts'
import { wasNeverConnected } from './retry.ts'
import { version } from './version.ts'

/** The part of the platform's fetch that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Including its query string. */
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** Whether it may be sent again even if it may have been carried out; by default this depends on its method and its headers. */
  isIdempotent?: boolean
}

/** Sends one request and waits for the response headers. Anything but success or 304 is thrown as the corresponding error. */
export function makeAttempt(settings: { baseUrl: string; apiKey: string; fetch: Fetch; clock: Clock }) {
  const { baseUrl, apiKey, fetch, clock } = settings
  return async (request: Request, options: { requestId: string; signal: AbortSignal }): Promise<Response> => {
    const { method, path, body, headers } = request
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...headers,
        authorization: `Bearer ${apiKey}`,
        'x-request-id': options.requestId,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        // Browsers send their own.
        ...(!('document' in globalThis) && { 'user-agent': `querypost-client/${version}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A redirect would turn a POST into a GET, and send the key to an unintended address.
      redirect: 'manual',
      signal: options.signal,
    })
    if (response.ok || response.status === 304) return response
    throw await readError(response, { requestId: options.requestId, clock })
  }
}

/** Converts what fetch, or reading a body, failed with. */
export function connectionError(cause: unknown, options: { baseUrl: string; requestId: string }): ConnectionError {
  const { baseUrl, requestId } = options
  const isOutcomeUnknown = !wasNeverConnected(cause)
  const what = isOutcomeUnknown ? 'The connection was lost before the response arrived' : 'The service cannot be reached'
  return new ConnectionError({ message: `${what}: ${reasonOf(cause)} (${baseUrl}).`, requestId, cause, isOutcomeUnknown })
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(cause: unknown): string {
  const { message, code, cause: deeper } = (cause ?? {}) as { message?: unknown; code?: unknown; cause?: unknown }
  if (deeper) return reasonOf(deeper)
  return String(message || code || cause)
}
