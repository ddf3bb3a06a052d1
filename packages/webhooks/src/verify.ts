import { joinBytes, type RawBody } from './bytes.ts'
import { WebhookVerificationError } from './errors.ts'
import { readEvent, type WebhookEvent } from './events.ts'
import { type Claim, type HeadersLike, readClaims } from './headers.ts'
import { readSecrets } from './secrets.ts'
import { anyMatches, digest, readCandidates } from './signature.ts'

export interface VerifyOptions {
  /** The body exactly as received, before any parsing. */
  body: RawBody
  headers: HeadersLike
  /** `whsec_…`. Several while a secret is being rotated; their order does not matter. */
  secret: string | readonly string[]
  /** How far the send time may be from now, in both directions. 300 by default. */
  toleranceSeconds?: number | undefined
  /** The current time, for tests. */
  now?: Date | undefined
}

/**
 * Returns the event if a holder of the secret sent exactly these bytes recently. Otherwise rejects with a
 * `WebhookVerificationError`.
 *
 * The receiver's own settings are checked first, then the format of the headers, the signature, the time and the body. So an error
 * about the time or the body concerns a request with a genuine signature.
 */
export async function verify(options: VerifyOptions): Promise<WebhookEvent> {
  const { id, body } = await verifySignature(options)
  const event = readEvent(body)
  if (event.id !== id) {
    throw new WebhookVerificationError(
      'id_mismatch',
      'The id in the body is not the id in the header. Is the secret also used by another sender?',
    )
  }
  return event
}

export interface SignedRequest {
  /** Of the request, as its header says. */
  id: string
  sentAt: Date
  body: Uint8Array
}

/** The same for a request that is signed in this way and has another body than an event. */
export async function verifySignature(options: VerifyOptions): Promise<SignedRequest> {
  const keys = readSecrets(options.secret)
  const { nowSeconds, toleranceSeconds } = readTimes(options)
  const claims = readClaims(options.headers)
  const { id, timestamp } = claims[0]!
  checkId(id)
  const sentSeconds = readTimestamp(timestamp)
  const candidates = claims.map((claim) => ({ family: claim.family, candidates: readCandidates(claim) }))

  const prefix = `${id}.${timestamp}.`
  const content = joinBytes(prefix, options.body)
  const digests = await Promise.all(keys.map((key) => digest(key, content)))
  const verdicts = candidates.map((ofFamily) => anyMatches({ ...ofFamily, digests }))
  if (verdicts.includes(false)) throw mismatch(claims, keys.length)

  checkAge({ ageSeconds: nowSeconds - sentSeconds, toleranceSeconds })
  // The id and the timestamp are ASCII, so the prefix has as many bytes as characters.
  return { id, sentAt: new Date(sentSeconds * 1000), body: content.subarray(prefix.length) }
}

function readTimes({ now = new Date(), toleranceSeconds = 300 }: VerifyOptions) {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  // A comparison with NaN is false: without these two checks, a mistake would let any age pass.
  if (!Number.isFinite(nowSeconds)) throw new WebhookVerificationError('bad_options', 'now is not a valid Date.')
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw new WebhookVerificationError('bad_options', 'toleranceSeconds must be a number of seconds, 0 or more.')
  }
  return { nowSeconds, toleranceSeconds }
}

// With no dot in the id and only digits in the timestamp, the signed text can be divided in only one way.
function checkId(id: string) {
  if (/^[\w-]{1,255}$/.test(id)) return
  throw new WebhookVerificationError(
    'bad_id',
    'The id header must have 1 to 255 letters, digits, _ and -. Pass the headers unchanged.',
  )
}

function readTimestamp(timestamp: string): number {
  if (/^[1-9]\d{0,11}$/.test(timestamp)) return Number(timestamp)
  throw new WebhookVerificationError(
    'bad_timestamp',
    'The timestamp header is not a whole number of seconds since 1970. Pass the headers unchanged.',
  )
}

function checkAge({ ageSeconds, toleranceSeconds }: { ageSeconds: number; toleranceSeconds: number }) {
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_too_old',
      `The request was sent ${ageSeconds} seconds ago, more than ${toleranceSeconds}. It may be a replay. If all ` +
        `requests fail this way, set this machine's clock, and verify requests before queueing them.`,
    )
  }
  if (-ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_too_new',
      `The request was sent ${-ageSeconds} seconds in the future, more than ${toleranceSeconds}. Set this machine's ` +
        `clock.`,
    )
  }
}

function mismatch(claims: Claim[], secretCount: number) {
  const secrets = secretCount === 1 ? 'the secret' : `any of the ${secretCount} secrets`
  const families = claims.length === 1 ? '' : ' (both signature headers are present, so both have to match)'
  return new WebhookVerificationError(
    'signature_mismatch',
    `The signature was not made with ${secrets} for this id, time and body${families}. Use the secret of ` +
      `exactly this endpoint, and the raw bytes of the body: parsing and serializing it again changes them.`,
  )
}
