import { abortAfter, type Clock } from '../../ports/clock.ts'
import { GuardedFetchError } from '../../ports/network/guarded-fetch-error.ts'
import type { GuardedFetch } from '../../ports/network/guarded-fetch.ts'
import { readRetryAfter } from '../../ports/retry-after.ts'
import type { SendOutcome } from '../../model/report.ts'

export interface ExchangeDeps {
  clock: Clock
  /** Checks every address: admins choose the URLs of channels. */
  guardedFetch: GuardedFetch
}

export type Refused = Exclude<SendOutcome, { kind: 'sent' }>

export interface ExchangeRequest {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

export interface Answer {
  status: number
  /** The start of the body. */
  text: string
  headers: Headers
  retryAfterMs: number | null
}

const deadlineMs = 20_000
const answerMaxBytes = 1024 * 1024

/** Sends one request to a channel's receiver. Without an answer it returns the outcome to record. */
export async function exchange(deps: ExchangeDeps, request: ExchangeRequest, signal: AbortSignal): Promise<Answer | { outcome: Refused }> {
  const deadline = abortAfter(deps.clock, deadlineMs)
  try {
    const { url, method = 'POST', headers = {}, body } = request
    const both = AbortSignal.any([deadline.signal, signal])
    const response = await deps.guardedFetch(url, { method, headers, signal: both, ...(body !== undefined && { body }) })
    const waitMs = readRetryAfter(response.headers.get('retry-after'), deps.clock.now())
    const retryAfterMs = waitMs === null ? null : Math.min(waitMs, retryAfterMaxMs)
    return { status: response.status, text: await readStart(response), headers: response.headers, retryAfterMs }
  } catch (error) {
    signal.throwIfAborted()
    if (deadline.signal.aborted) return { outcome: { kind: 'refused_for_now', detail: `No answer within ${deadlineMs / 1000} seconds.` } }
    if (!(error instanceof GuardedFetchError)) return { outcome: { kind: 'refused_for_now', detail: 'The answer broke off.' } }
    if (error.fault === 'refused') return { outcome: { kind: 'refused_for_good', detail: error.message, isChannelBroken: true } }
    return { outcome: { kind: 'refused_for_now', detail: error.message } }
  } finally {
    deadline.cancel()
  }
}

async function readStart({ body }: Response): Promise<string> {
  if (!body) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > answerMaxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, answerMaxBytes).toString()
}

/** A wrong value must not stop a channel forever. */
const retryAfterMaxMs = 24 * 60 * 60 * 1000

/** For answers that say nothing else than "later". */
export function refusedForNow({ status, retryAfterMs }: Pick<Answer, 'status' | 'retryAfterMs'>): Refused {
  const detail = status === 429 ? 'Too many requests (429).' : `The receiver answered ${status}.`
  return { kind: 'refused_for_now', detail, ...(retryAfterMs !== null && { retryAfterMs }) }
}
