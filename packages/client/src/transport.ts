import { connectionError, type Fetch, makeAttempt, type Request } from './attempt.ts'
import type { Clock } from './clock.ts'
import { QuerypostError, TimeoutError } from './errors.ts'
import { type Limit, makeLimit } from './limit.ts'
import { mayRetry, retryWaitMs } from './retry.ts'
import { watchBody } from './watched-body.ts'

/**
 * A *call* is what the caller requested; an *attempt* is one request for it. An attempt has its own timeout (`timeoutMs` of the
 * client). A call may have one too (`timeoutMs` of the call), which covers its attempts and the waits between them.
 */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** How long the call may take, including retries and waits. By default as long as its attempts may. */
  timeoutMs?: number | undefined
}

/** For calls that send a POST. */
export interface WriteOptions extends CallOptions {
  /**
   * A request with the same key has no further effect for 24 hours, and gets the response of the first. By default a new UUID for each call.
   * Choose your own to repeat a call after your program has stopped.
   */
  idempotencyKey?: string | undefined
}

export const idempotencyKeyHeader = 'idempotency-key'

export interface TransportSettings {
  baseUrl: string
  apiKey: string
  fetch: Fetch
  /** The timeout of an attempt. */
  timeoutMs: number
  maxRetries: number
  clock: Clock
  random(): number
  newRequestId(): string
  newIdempotencyKey(): string
}

export interface Transport {
  clock: Clock
  random(): number
  newIdempotencyKey(): string
  /**
   * Sends the request, with retries where appropriate, until it succeeds or returns 304, and passes the response to `read`, which
   * reads the body within the attempt's timeout.
   */
  send<Answer>(request: Request, options: CallOptions, read: (response: Response) => Promise<Answer>): Promise<Answer>
  /** The same for a streamed body: the attempt's timeout ends with the headers, the call's does not. */
  open(request: Request, options: CallOptions): Promise<Response>
}

export function makeTransport(settings: TransportSettings): Transport {
  const { baseUrl, clock, random } = settings
  const attempt = makeAttempt(settings)

  async function attemptOnce<Answer>(
    request: Request,
    context: { call: Limit; requestId: string; isStream: boolean },
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    const { call, requestId, isStream } = context
    const errorFor = (error: unknown) => {
      if (limit.signal.aborted) return limit.signal.reason as unknown
      return error instanceof QuerypostError ? error : connectionError(error, { baseUrl, requestId })
    }
    const limit = makeLimit({
      clock,
      timeoutMs: settings.timeoutMs,
      signal: call.signal,
      onTimeout: (timeoutMs) =>
        new TimeoutError({ message: `No response within ${timeoutMs} ms.`, timeoutMs, requestId }),
    })
    try {
      const response = await attempt(request, { requestId, signal: limit.signal })
      if (!isStream) {
        const answer = await read(response)
        limit.end()
        return answer
      }
      limit.stopTimer()
      const onEnd = () => {
        limit.end()
        call.end()
      }
      return await read(watchBody(response, { onEnd, errorFor }))
    } catch (error) {
      limit.end()
      throw errorFor(error)
    }
  }

  async function execute<Answer>(
    request: Request,
    { signal, timeoutMs, isStream }: CallOptions & { isStream: boolean },
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    let latest: unknown
    const message = `The call exceeded its timeout of ${timeoutMs} ms.`
    const onTimeout = (ms: number) => new TimeoutError({ message, timeoutMs: ms, cause: latest })
    const call = makeLimit({ clock, timeoutMs, signal, onTimeout })
    const requestId = settings.newRequestId()
    const { method, headers } = request
    const isIdempotent = request.isIdempotent ?? (method === 'GET' || method === 'PUT' || headers?.[idempotencyKeyHeader] !== undefined)
    try {
      for (let number = 1; ; number++) {
        call.signal.throwIfAborted()
        try {
          const context = { call, requestId: number === 1 ? requestId : `${requestId}.${number}`, isStream }
          const answer = await attemptOnce(request, context, read)
          if (!isStream) call.end()
          return answer
        } catch (error) {
          latest = error
          // The call as a whole is over, whatever its last attempt reports.
          call.signal.throwIfAborted()
          if (!(error instanceof QuerypostError) || number > settings.maxRetries) throw error
          if (!mayRetry(error, { isIdempotent })) throw error
          const waitMs = retryWaitMs({ attempt: number, retryAfterMs: error.retryAfterMs, random })
          if (waitMs === undefined) throw error
          await clock.sleep(waitMs, call.signal)
        }
      }
    } catch (error) {
      call.end()
      throw error
    }
  }

  return {
    clock,
    random,
    newIdempotencyKey: settings.newIdempotencyKey,
    send: (request, options, read) => execute(request, { ...options, isStream: false }, read),
    open: (request, options) => execute(request, { ...options, isStream: true }, async (response) => response),
  }
}

/** The JSON of a response. Anything else is not from the service, and a retry would not help. */
export async function readJson<Answer>(response: Response): Promise<Answer> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Answer
  } catch (cause) {
    const message = 'The response is not JSON. Check that baseUrl is the address of a Querypost service.'
    const requestId = response.headers.get('x-request-id') ?? undefined
    throw new QuerypostError({ code: 'unexpected_answer', message, status: response.status, requestId, cause })
  }
}
