import { WebhookVerificationError } from './errors.ts'

/**
 * Words:
 * - family: one of the two sets of three headers that a delivery carries. `svc` is Querypost's own (`svc-webhook-id`,
 *   `svc-webhook-timestamp`, `svc-webhook-signature`), `standard` that of Standard Webhooks (`webhook-id`, …).
 * - claim: what one family says: an id, a send time and signatures. It is only a claim until it is verified.
 *
 * Invariants, so that mixing the families does not help an attacker:
 * 1. A family with any header present must be complete, so a damaged one is never silently replaced by the other.
 * 2. Two families must name the same id and the same time, so it does not matter which header other code uses.
 * 3. Every returned claim has to be verified: one valid family does not vouch for the other.
 */
export interface Claim {
  family: 'svc' | 'standard'
  id: string
  timestamp: string
  signature: string
}

/** `Headers`, Node's `request.headers` or any plain object in any letter case, or pairs of name and value. */
export type HeadersLike =
  | Iterable<readonly [string, string]>
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

const families = [
  { family: 'svc', id: 'svc-webhook-id', timestamp: 'svc-webhook-timestamp', signature: 'svc-webhook-signature' },
  { family: 'standard', id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' },
] as const
const parts = ['id', 'timestamp', 'signature'] as const
const ourNames: ReadonlySet<string> = new Set(families.flatMap((family) => parts.map((part) => family[part])))

/** One claim for each family in the request; at least one. */
export function readClaims(headers: HeadersLike): Claim[] {
  const values = readValues(headers)
  const present = families.filter((family) => parts.some((part) => values.has(family[part])))
  const claims = (present.length > 0 ? present : [families[0]]).map((family): Claim => {
    const missing = parts.map((part) => family[part]).filter((name) => !values.get(name))
    if (missing.length > 0) {
      throw new WebhookVerificationError(
        'missing_header',
        `The request has no ${missing.join(', ')}. Pass all of its headers; if you do, it was not sent by Querypost ` +
          `or a proxy removed them.`,
      )
    }
    const [id, timestamp, signature] = parts.map((part) => values.get(family[part])!) as [string, string, string]
    return { family: family.family, id, timestamp, signature }
  })
  const [first, second] = claims
  if (second && (first!.id !== second.id || first!.timestamp !== second.timestamp)) {
    throw new WebhookVerificationError(
      'headers_disagree',
      'The svc-webhook-… and the webhook-… headers name different ids or times. If your gateway adds its own webhook-… ' +
        'headers, pass only the svc-webhook-… ones.',
    )
  }
  return claims
}

function readValues(headers: HeadersLike): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of pairs(headers)) {
    const lowerCase = name.toLowerCase()
    if (!ourNames.has(lowerCase) || value === undefined || value === null) continue
    if (typeof value !== 'string') throw badHeaders(`the value of ${lowerCase} is not a string`)
    // Node and `Headers` join repeated headers with a comma and a space, which none of these headers contains.
    if (values.has(lowerCase) || value.includes(', ')) {
      throw new WebhookVerificationError(
        'duplicate_header',
        `The request has ${lowerCase} more than once, so it is not clear which one applies. Look for a proxy that ` +
          `adds it.`,
      )
    }
    values.set(lowerCase, value)
  }
  return values
}

function pairs(headers: unknown): [string, unknown][] {
  if (typeof headers !== 'object' || headers === null) throw badHeaders('they are not an object')
  if (Symbol.iterator in headers) {
    return Array.from(headers as Iterable<unknown>, (pair) => {
      if (!Array.isArray(pair) || typeof pair[0] !== 'string') throw badHeaders('the list does not hold pairs')
      return [pair[0], pair[1]]
    })
  }
  if ('get' in headers && typeof headers.get === 'function') {
    return Array.from(ourNames, (name) => [name, (headers as { get(name: string): unknown }).get(name)])
  }
  return Object.entries(headers).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((one): [string, unknown] => [name, one]) : [[name, value] as [string, unknown]],
  )
}

function badHeaders(what: string) {
  return new WebhookVerificationError(
    'bad_options',
    `The headers cannot be read: ${what}. Pass request.headers (a Headers object or a plain one) or pairs of name ` +
      `and value.`,
  )
}
