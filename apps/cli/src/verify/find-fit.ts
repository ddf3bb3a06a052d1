import { signatureHeaders } from '@querypost/webhooks'
import { type BodyVariant, bodyVariants } from './body-variants.ts'
import type { Claim } from './examine-headers.ts'
import type { GivenSecret } from './examine-secrets.ts'

/** What the signature was made of: which secret, over which body, id and time. */
export interface Fit {
  secret: GivenSecret
  variant: BodyVariant
  /** The id and the time that were signed: those of the headers, or what they were before something changed them. */
  id: string
  timestamp: string
  /** The families whose signature this is. */
  families: Claim['family'][]
}

/**
 * Looks for what fits, beginning with the request as it is. A fit is no guess: nobody makes the same signature of
 * anything else. So whichever change has to be undone is the one that has happened. Of several, the one that most
 * families agree with.
 */
export async function findFit(options: {
  claims: Claim[]
  secrets: GivenSecret[]
  body: Uint8Array<ArrayBuffer>
}): Promise<Fit | undefined> {
  const { claims, secrets } = options
  let best: Fit | undefined
  for (const variant of bodyVariants(options.body)) {
    for (const { id, timestamp } of signedParts(claims, variant.body)) {
      for (const secret of secrets) {
        if (secret.usable === undefined) continue
        const sentAt = new Date(Number(timestamp) * 1000)
        const made = await signatureHeaders({ id, body: variant.body, secret: secret.usable, sentAt })
        const digest = made['svc-webhook-signature'].slice('v1='.length)
        const families = claims
          .filter((claim) => digestsIn(claim.signature).includes(digest))
          .map(({ family }) => family)
        if (families.length === claims.length) return { secret, variant, id, timestamp, families }
        if (families.length > (best?.families.length ?? 0)) best = { secret, variant, id, timestamp, families }
      }
    }
  }
  return best
}

/** What stands before the body in the signed text: what the headers say, then what they may have said. */
function signedParts(claims: Claim[], body: Uint8Array): { id: string; timestamp: string }[] {
  const ids = new Set([...claims.map(({ id }) => id), ...idOf(body)])
  const stamps = claims.map(({ timestamp }) => (/^\d{13}$/.test(timestamp) ? timestamp.slice(0, 10) : timestamp))
  return [...ids].flatMap((id) =>
    [...new Set(stamps)].filter((text) => /^\d{1,12}$/.test(text)).map((timestamp) => ({ id, timestamp })),
  )
}

function idOf(body: Uint8Array): string[] {
  const found = /"id":\s*"([\w-]{1,255})"/.exec(Buffer.from(body).toString('latin1'))
  return found ? [found[1]!] : []
}

/** Every SHA-256 that a header holds, however it is written, as hex. */
function digestsIn(signature: string): string[] {
  return signature.split(/[ ,=]/).flatMap((text) => {
    if (/^[0-9a-f]{64}$/i.test(text)) return [text.toLowerCase()]
    if (/^[\w+/-]{43}$/.test(text)) return [Buffer.from(text, 'base64').toString('hex')]
    return []
  })
}
