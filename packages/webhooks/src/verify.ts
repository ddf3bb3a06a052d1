import { joinBytes, type RawBody } from './bytes.ts'
import { WebhookVerificationError } from './errors.ts'
import { readEvent, type WebhookEvent } from './events.ts'
import { type Claim, type HeadersLike, readClaims } from './headers.ts'
import { readSecrets } from './secrets.ts'
import { anyMatches, digest, readCandidates } from './signature.ts'

export interface VerifyOptions {
  /** The body as it came over the wire, before any parsing. */
  body: RawBody
  headers: HeadersLike
  /** `whsec_…`. Several while a secret is rotated; their order does not matter. */
  secret: string | readonly string[]
  /** How far the send time may be from now, in both directions. 300 by default. */
  toleranceSeconds?: number | undefined
  /** The current time, for tests. */
  now?: Date | undefined
}

/**
 * The event, once it is certain that a holder of the secret sent exactly these bytes a short time ago.
 * Rejects with a `WebhookVerificationError` otherwise.
 *
 * The receiver's own settings are checked first, then the form of the headers, the signature, the time and the body.
 * So an error about the time or the body is about a request with a genuine signature.
 */
export async function verify(options: VerifyOptions): Promise<WebhookEvent> {
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
  const event = readEvent(content.subarray(prefix.length))
  if (event.id !== id) {
    throw new WebhookVerificationError(
      'id_mismatch',
      'The id in the body is not the id in the header. Is the secret used by another sender too?',
    )
  }
  return event
}

function readTimes({ now = new Date(), toleranceSeconds = 300 }: VerifyOptions) {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  // A comparison with NaN is false: without these two checks a slip would let any age pass.
  if (!Number.isFinite(nowSeconds)) throw new WebhookVerificationError('bad_options', 'now is not a valid Date.')
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0) {
    throw new WebhookVerificationError('bad_options', 'toleranceSeconds must be a number of seconds, 0 or more.')
  }
  return { nowSeconds, toleranceSeconds }
}

// Without a dot in the id and with digits only in the timestamp, the signed text can be divided in one way only.
function checkId(id: string) {
  if (/^[\w-]{1,255}$/.test(id)) return
  throw new WebhookVerificationError(
    'bad_id',
    'The id header may hold 1 to 255 letters, digits, _ and - only. Pass the headers as they came.',
  )
}

function readTimestamp(timestamp: string): number {
  if (/^[1-9]\d{0,11}$/.test(timestamp)) return Number(timestamp)
  throw new WebhookVerificationError(
    'bad_timestamp',
    'The timestamp header is not a whole number of seconds since 1970. Pass the headers as they came.',
  )
}

function checkAge({ ageSeconds, toleranceSeconds }: { ageSeconds: number; toleranceSeconds: number }) {
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_too_old',
      `The request was sent ${ageSeconds} seconds ago, more than ${toleranceSeconds}. It may be a replay. If all ` +
        `requests fail so, set this machine's clock, and verify before a request waits in a queue.`,
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
      `exactly this endpoint, and the raw bytes of the body: parsed and written again they differ.`,
  )
}
