import { signatureHeaders } from '@querypost/webhooks'
import { type BodyVariant, bodyVariants } from './body-variants.ts'
import type { Claim } from './examine-headers.ts'
import type { GivenSecret } from './examine-secrets.ts'

/** The secret, body, id and time from which the signature was made. */
export interface Match {
  secret: GivenSecret
  variant: BodyVariant
  /** The signed id and time: those of the headers, or the values before something changed them. */
  id: string
  timestamp: string
  /** The header families that have this signature. */
  families: Claim['family'][]
}

/**
 * Finds the secret and body that produce the signature, starting with the request as it is. A match is proof: nothing else has the same
 * signature, so a change that has to be undone did happen. Of several matches, the one that most header families agree with wins.
 */
export async function findMatch(options: {
  claims: Claim[]
  secrets: GivenSecret[]
  body: Uint8Array<ArrayBuffer>
}): Promise<Match | undefined> {
  const { claims, secrets } = options
  let best: Match | undefined
  for (const variant of bodyVariants(options.body)) {
    for (const { id, timestamp } of signedParts(claims, variant.body)) {
      for (const secret of secrets) {
        if (secret.usable === undefined) continue
        const sentAt = new Date(Number(timestamp) * 1000)
        const made = await signatureHeaders({ id, body: variant.body, secret: secret.usable, sentAt })
        const digest = made['svc-webhook-signature'].slice('v1='.length)
        const families = claims
          .filter((claim) => findDigests(claim.signature).includes(digest))
          .map(({ family }) => family)
        if (families.length === claims.length) return { secret, variant, id, timestamp, families }
        if (families.length > (best?.families.length ?? 0)) best = { secret, variant, id, timestamp, families }
      }
    }
  }
  return best
}

/** The id and time before the body in the signed text: as in the headers, then as they may have been. */
function signedParts(claims: Claim[], body: Uint8Array): { id: string; timestamp: string }[] {
  const ids = new Set([...claims.map(({ id }) => id), ...findId(body)])
  const stamps = claims.map(({ timestamp }) => (/^\d{13}$/.test(timestamp) ? timestamp.slice(0, 10) : timestamp))
  return [...ids].flatMap((id) =>
    [...new Set(stamps)].filter((text) => /^\d{1,12}$/.test(text)).map((timestamp) => ({ id, timestamp })),
  )
}

function findId(body: Uint8Array): string[] {
  const found = /"id":\s*"([\w-]{1,255})"/.exec(Buffer.from(body).toString('latin1'))
  return found ? [found[1]!] : []
}

/** All SHA-256 digests in a header, in any notation, as hex. */
function findDigests(signature: string): string[] {
  return signature.split(/[ ,=]/).flatMap((text) => {
    if (/^[0-9a-f]{64}$/i.test(text)) return [text.toLowerCase()]
    if (/^[\w+/-]{43}$/.test(text)) return [Buffer.from(text, 'base64').toString('hex')]
    return []
  })
}
