import { type Check, failed, ok, skipped } from '../checks.ts'
import type { Findings } from './findings.ts'

const headerOf = { svc: 'svc-webhook-signature', standard: 'webhook-signature' } as const

/** Checks which signatures match, and whether a signed header was changed. */
export function judgeSignature({ claims, match, secrets }: Findings): Check {
  if (claims.length === 0) return skipped('signature', 'The request has no complete signature.')
  if (!match) {
    const usable = secrets.filter((secret) => secret.usable !== undefined)
    if (usable.length === 0) return skipped('signature', 'Not checked: no usable secret was given.')
    const subject = claims.length === 1 ? 'The signature does not match' : 'Neither signature matches'
    return failed(
      'signature',
      `${subject} a given secret, with the body as it is or with common changes undone.`,
      'See secret and body above.',
    )
  }
  const others = claims.filter(({ family }) => !match.families.includes(family))
  if (others.length > 0) {
    const [matching] = match.families
    return failed(
      'signature',
      `${headerOf[matching!]} matches, ${others.map(({ family }) => headerOf[family]).join()} does not.`,
      matching === 'svc'
        ? 'If your gateway adds its own webhook-… headers, pass only the svc-webhook-… headers to the library.'
        : 'The svc-webhook-… headers were changed. Look for a proxy that rewrites them.',
    )
  }
  const [{ id, timestamp }] = claims as [(typeof claims)[number]]
  if (id !== match.id)
    return failed('signature', `The signature matches the id ${match.id}, but the header has ${JSON.stringify(id)}.`, passOn)
  if (timestamp !== match.timestamp) {
    return failed(
      'signature',
      `The signature matches the time ${match.timestamp}, but the header has ${JSON.stringify(timestamp)}.`,
      passOn,
    )
  }
  return ok(
    'signature',
    claims.length === 2 ? 'Both signatures match.' : `${headerOf[claims[0]!.family]} matches.`,
  )
}

const passOn = 'The header was changed. Pass headers on unchanged.'
