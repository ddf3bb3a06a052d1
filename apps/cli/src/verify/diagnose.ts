import { type VerificationErrorCode, verify, type WebhookEvent, WebhookVerificationError } from '@querypost/webhooks'
import { type Check, failed } from '../checks.ts'
import type { CapturedRequest } from './captured-request.ts'
import { examineHeaders } from './examine-headers.ts'
import { examineSecrets } from './examine-secrets.ts'
import { findMatch } from './find-match.ts'
import { judgeBody } from './judge-body.ts'
import { judgeClock } from './judge-clock.ts'
import { judgeEvent } from './judge-event.ts'
import { judgeSecret } from './judge-secret.ts'
import { judgeSignature } from './judge-signature.ts'

/**
 * The *verdict* comes from the receiver library alone: a receiver accepts exactly the requests that are genuine here. The *checks*
 * explain it, each for one subject. All of them run, since a request often has more than one fault.
 *
 * Invariant: a check has failed exactly when the library rejects the request.
 */
export interface Diagnosis {
  isGenuine: boolean
  /** The library's error code; null when the request is genuine. */
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
  const outcome = await verifyRequest(options)
  const { check: headers, claims } = examineHeaders(request.headers)
  const secrets = examineSecrets(options.secrets)
  const match = await findMatch({ claims, secrets, body: request.body })
  const findings = { request, secrets, claims, match }
  const checks = [
    headers,
    judgeSecret(findings),
    judgeBody(findings),
    judgeSignature(findings),
    judgeClock({ claims, now, toleranceSeconds }),
    await judgeEvent(findings),
  ]
  if (!(outcome instanceof WebhookVerificationError)) {
    return { isGenuine: true, code: null, message: 'The request is genuine.', event: outcome, checks }
  }
  const { code, message } = outcome
  // A newer library may reject requests for a reason that no check covers.
  if (checks.every(({ state }) => state !== 'failed')) checks.push(failed('library', message, `The error code is ${code}.`))
  return { isGenuine: false, code, message, event: null, checks }
}

async function verifyRequest({ request, secrets, now, toleranceSeconds }: DiagnoseOptions) {
  try {
    return await verify({ body: request.body, headers: request.headers, secret: secrets, now, toleranceSeconds })
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error
    throw error
  }
}
