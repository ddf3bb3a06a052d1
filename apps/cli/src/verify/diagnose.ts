import { type VerificationErrorCode, verify, type WebhookEvent, WebhookVerificationError } from '@querypost/webhooks'
import { type Check, failed } from '../check.ts'
import type { CapturedRequest } from './captured-request.ts'
import { examineHeaders } from './examine-headers.ts'
import { examineSecrets } from './examine-secrets.ts'
import { findFit } from './find-fit.ts'
import { judgeBody } from './judge-body.ts'
import { judgeClock } from './judge-clock.ts'
import { judgeEvent } from './judge-event.ts'
import { judgeSecret } from './judge-secret.ts'
import { judgeSignature } from './judge-signature.ts'

/**
 * The *verdict* is that of the receiver library, and of nothing else: what this says to be genuine, a receiver
 * accepts. The *checks* tell why, each of one subject; all are made, whichever fails first, since a request often has
 * more than one fault.
 *
 * Invariant: a check has failed exactly when the verdict is a refusal.
 */
export interface Diagnosis {
  isGenuine: boolean
  /** The library's code for the refusal; null when it is genuine. */
  code: VerificationErrorCode | null
  message: string
  event: WebhookEvent | null
  checks: Check[]
}

export interface DiagnoseOptions {
  request: CapturedRequest
  secrets: string[]
  now: Date
  toleranceSeconds: number
}

export async function diagnose(options: DiagnoseOptions): Promise<Diagnosis> {
  const { request, now, toleranceSeconds } = options
  const outcome = await judge(options)
  const { check: headers, claims } = examineHeaders(request.headers)
  const secrets = examineSecrets(options.secrets)
  const fit = await findFit({ claims, secrets, body: request.body })
  const found = { request, secrets, claims, fit }
  const checks = [
    headers,
    judgeSecret(found),
    judgeBody(found),
    judgeSignature(found),
    judgeClock({ claims, now, toleranceSeconds }),
    await judgeEvent(found),
  ]
  if (!(outcome instanceof WebhookVerificationError)) {
    return { isGenuine: true, code: null, message: 'The request is genuine.', event: outcome, checks }
  }
  const { code, message } = outcome
  // The library may come to refuse what no check knows of yet.
  if (checks.every(({ state }) => state !== 'failed')) checks.push(failed('library', message, `Its code is ${code}.`))
  return { isGenuine: false, code, message, event: null, checks }
}

async function judge({ request, secrets, now, toleranceSeconds }: DiagnoseOptions) {
  try {
    return await verify({ body: request.body, headers: request.headers, secret: secrets, now, toleranceSeconds })
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error
    throw error
  }
}
