import { APICallError } from 'ai'
import type { StepUsage } from './step-usage.ts'
import { withEllipsis } from '../../../ports/cut-text.ts'
import { AnswerTooLarge } from './bounded-fetch.ts'
import type { ModelAccess } from '../../../model/model-settings.ts'

/** The answer had begun and did not come to its end. */
export class AnswerCut extends Error {
  override readonly name = 'AnswerCut'
  /** About what the part that came has used. */
  readonly usage: StepUsage

  constructor(cause: unknown, usage: StepUsage) {
    super('The model’s answer broke off.', { cause })
    this.usage = usage
  }
}

/** What came of a request that failed, for whoever decides whether to ask again and for whoever reads why not. */
export interface ProviderFailure {
  /**
   * - `passing`: the same request may succeed in a while.
   * - `cut`: the answer broke off.
   * - `final`: it would fail again.
   */
  kind: 'passing' | 'cut' | 'final'
  /** For a person: what happened, and what to do. Without the key, whatever the provider says. */
  reason: string
  /** How long the provider asks to wait. */
  retryAfterMs: number | null
}

export function judgeProviderError(error: unknown, access: ModelAccess, now: Date): ProviderFailure {
  const retryAfterMs = APICallError.isInstance(error) ? readRetryAfter(error.responseHeaders, now) : null
  const failure = (kind: ProviderFailure['kind'], reason: string) => ({ kind, retryAfterMs, reason })
  const host = new URL(access.baseUrl).host
  const says = wordsOf(error, access)
  if (error instanceof AnswerCut) {
    return failure('cut', `The answer of the model at ${host} broke off: ${wordsOf(error.cause, access)}`)
  }
  if (APICallError.isInstance(error) && error.statusCode !== undefined && !isOk(error.statusCode)) {
    const status = error.statusCode
    const kind = isPassingStatus(status) ? 'passing' : 'final'
    return failure(kind, `${meaningOf(status, host, access.model)} It says: ${says}`)
  }
  if (isNetworkFault(error)) {
    return failure('passing', `No connection could be made to the model at ${host}, or it was lost: ${says}`)
  }
  if (isUnintelligible(error)) {
    return failure(
      'final',
      `What ${host} answers is not what a model of this kind answers: ${says} Check the provider and the base URL.`,
    )
  }
  return failure('final', `The model at ${host} could not be asked: ${says}`)
}

function meaningOf(status: number, host: string, model: string): string {
  if (status === 401 || status === 403) return `The key was refused by ${host} (${status}). Check it in the settings.`
  if (status === 404) {
    const named = JSON.stringify(model)
    return `${host} knows no such address or no model ${named} (404). Check the base URL and the model’s name.`
  }
  if (status === 402) return `${host} asks for payment (402). Check the account there.`
  if (status === 429) return `${host} takes no more requests for now (429). Try again later, or raise the limit there.`
  if (status >= 300 && status < 400) return `${host} answers with a redirect (${status}). Use the address it leads to.`
  if (status >= 500) return `${host} cannot answer at the moment (${status}). Try again later.`
  return `${host} refused the request (${status}).`
}

const isOk = (status: number) => status >= 200 && status < 300
const isPassingStatus = (status: number) => status >= 500 || [408, 409, 425, 429].includes(status)

const networkFaults = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND',
  'EAI_AGAIN', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT',
])

function isNetworkFault(error: unknown): boolean {
  return causesOf(error).some((cause) => networkFaults.has(String((cause as NodeJS.ErrnoException).code)))
}

/** It was reached, and said something; but not in the language that was expected. */
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

/** The provider's, or the network's, own words: on one line, cut, and never with the key in them. */
function wordsOf(error: unknown, access: ModelAccess): string {
  const said = error instanceof Error ? error.message : JSON.stringify(error) ?? 'nothing'
  const redacted = access.apiKey ? said.replaceAll(access.apiKey, '[the key]') : said
  const line = redacted.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  const cut = withEllipsis(line, wordsMaxLength)
  return /[.!?…]$/.test(cut) ? cut : `${cut || 'nothing'}.`
}

/** `Retry-After` is a number of seconds or a date. */
export function readRetryAfter(headers: Record<string, string> | undefined, now: Date): number | null {
  const given = headers?.['retry-after']?.trim()
  if (!given) return null
  if (/^\d+(\.\d+)?$/.test(given)) return Number(given) * 1000
  const dateMs = Date.parse(given)
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - now.getTime())
}
