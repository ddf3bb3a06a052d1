import { createHmac, timingSafeEqual } from 'node:crypto'

/** A request that is older, or newer, than this is refused: someone may have recorded it. */
export const signatureMaxAgeMs = 5 * 60_000

export interface SignedRequest {
  /** `X-Slack-Signature` and `X-Slack-Request-Timestamp`. */
  signature: string | undefined
  timestamp: string | undefined
  /** The body as it was sent. */
  body: Uint8Array
}

/** Whether a request is from Slack: signed with the secret of the app, within the last five minutes. */
export function isSignedBySlack({ signature, timestamp, body }: SignedRequest, options: { signingSecret: string; now: Date }): boolean {
  if (signature === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(options.now.getTime() - Number(timestamp) * 1000) > signatureMaxAgeMs) return false
  const expected = Buffer.from(slackSignature({ timestamp, body }, options.signingSecret))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export const slackSignature = ({ timestamp, body }: { timestamp: string; body: Uint8Array }, signingSecret: string): string =>
  `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest('hex')}`
