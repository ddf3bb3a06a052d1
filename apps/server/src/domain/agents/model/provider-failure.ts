import { APICallError } from 'ai'
import type { StepUsage } from './step-usage.ts'
import { withEllipsis } from '../../../ports/cut-text.ts'
import { readRetryAfter } from '../../../ports/retry-after.ts'
import { AnswerTooLarge } from './bounded-fetch.ts'
import type { ModelAccess } from '../../../model/model-settings.ts'

/** The answer started but did not finish. */
export class AnswerCut extends Error {
  override readonly name = 'AnswerCut'
  /** Estimated usage of the part that arrived. */
  readonly usage: StepUsage

  constructor(cause: unknown, usage: StepUsage) {
    super('The model’s answer was cut off.', { cause })
    this.usage = usage
  }
}

/** The run was interrupted before the answer was complete. */
export class AnswerAborted extends Error {
  override readonly name = 'AnswerAborted'
  /** Estimated usage until then. */
  readonly usage: StepUsage

  constructor(usage: StepUsage) {
    super('The request to the model was interrupted.')
    this.usage = usage
  }
}

/** A failed request: whether to retry it, and the reason to show if not. */
export interface ProviderFailure {
  /**
   * - `temporary`: the same request may succeed later.
   * - `cut`: the answer was cut off.
   * - `final`: it would fail again.
   */
  kind: 'temporary' | 'cut' | 'final'
  /** For people: what happened and what to do. Never contains the key, whatever the provider says. */
  reason: string
  /** How long the provider asks to wait. */
  retryAfterMs: number | null
}

export function judgeProviderError(error: unknown, access: ModelAccess, now: Date): ProviderFailure {
  const retryAfterMs = APICallError.isInstance(error) ? readRetryAfter(error.responseHeaders?.['retry-after'], now) : null
  const failure = (kind: ProviderFailure['kind'], reason: string) => ({ kind, retryAfterMs, reason })
  const host = new URL(access.baseUrl).host
  const says = wordsOf(error, access)
  if (error instanceof AnswerCut) {
    return failure('cut', `The answer from the model at ${host} was cut off: ${wordsOf(error.cause, access)}`)
  }
  if (APICallError.isInstance(error) && error.statusCode !== undefined && !isOk(error.statusCode)) {
    const status = error.statusCode
    const kind = isTemporaryStatus(status) ? 'temporary' : 'final'
    return failure(kind, `${meaningOf(status, host, access.model)} The provider says: ${says}`)
  }
  if (isNetworkFault(error)) {
    return failure('temporary', `Could not connect to the model at ${host}, or the connection was lost: ${says}`)
  }
  if (isUnintelligible(error)) {
    return failure(
      'final',
      `The response from ${host} does not match the provider’s format: ${says} Check the provider and the base URL.`,
    )
  }
  return failure('final', `The request to the model at ${host} failed: ${says}`)
}

function meaningOf(status: number, host: string, model: string): string {
  if (status === 401 || status === 403) return `${host} rejected the API key (${status}). Check it in the settings.`
  if (status === 404) {
    const named = JSON.stringify(model)
    return `${host} has no such address or no model ${named} (404). Check the base URL and the model’s name.`
  }
  if (status === 402) return `${host} requires payment (402). Check your account there.`
  if (status === 429) return `${host} is rate limiting requests (429). Try again later, or raise the limit there.`
  if (status >= 300 && status < 400) return `${host} responded with a redirect (${status}). Use the address it redirects to.`
  if (status >= 500) return `${host} is temporarily unavailable (${status}). Try again later.`
  return `${host} rejected the request (${status}).`
}

const isOk = (status: number) => status >= 200 && status < 300
const isTemporaryStatus = (status: number) => status >= 500 || [408, 409, 425, 429].includes(status)

const networkFaults = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND',
  'EAI_AGAIN', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT',
])

function isNetworkFault(error: unknown): boolean {
  return causesOf(error).some((cause) => networkFaults.has(String((cause as NodeJS.ErrnoException).code)))
}

/** The server responded, but not in the expected format. */
function isUnintelligible(error: unknown): boolean {
  return causesOf(error).some((cause) => unintelligible.has(cause.name) || cause instanceof AnswerTooLarge)
}

const unintelligible = new Set([
  'AI_InvalidResponseDataError', 'AI_JSONParseError', 'AI_TypeValidationError', 'AI_EmptyResponseBodyError',
])

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let next = error; next instanceof Error && causes.length < 10; next = next.cause) causes.push(next)
  return causes
}

const wordsMaxLength = 300

/** The provider's or the network's own message: on one line, truncated, and without the key. */
function wordsOf(error: unknown, access: ModelAccess): string {
  const errorText = error instanceof Error ? error.message : JSON.stringify(error) ?? 'nothing'
  const redacted = access.apiKey ? errorText.replaceAll(access.apiKey, '[the key]') : errorText
  const line = redacted.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  const cut = withEllipsis(line, wordsMaxLength)
  return /[.!?…]$/.test(cut) ? cut : `${cut || 'nothing'}.`
}
