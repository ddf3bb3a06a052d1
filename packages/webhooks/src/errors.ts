/**
 * Every reason for rejecting a request. Codes are stable: log them, alert on them, test for them. The README explains each, and a
 * test keeps the two in sync.
 */
export const verificationErrorCodes = [
  'missing_header',
  'duplicate_header',
  'bad_id',
  'bad_timestamp',
  'bad_signature_format',
  'headers_disagree',
  'signature_mismatch',
  'timestamp_too_old',
  'timestamp_too_new',
  'bad_envelope',
  'id_mismatch',
  'bad_secret',
  'body_not_raw',
  'bad_options',
  'crypto_unavailable',
] as const

export type VerificationErrorCode = (typeof verificationErrorCodes)[number]

/** These mean that the receiver is misconfigured. The sender can do nothing about them. */
const receiverFaults: ReadonlySet<VerificationErrorCode> = new Set([
  'bad_secret',
  'body_not_raw',
  'bad_options',
  'crypto_unavailable',
])

/** The request must not be trusted. The message never contains a secret, a signature or any part of the body. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: VerificationErrorCode
  /** The status to answer with: 400 if the request is at fault, 500 if this receiver is. */
  readonly status: 400 | 500

  constructor(code: VerificationErrorCode, message: string) {
    super(message)
    this.code = code
    this.status = receiverFaults.has(code) ? 500 : 400
  }
}
