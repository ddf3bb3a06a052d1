import { type Check, failed, ok, skipped } from '../check.ts'
import type { Found } from './found.ts'

const headerOf = { svc: 'svc-webhook-signature', standard: 'webhook-signature' } as const

/** What fits what: which family's signature, over the headers as they are or as they were. */
export function judgeSignature({ claims, fit, secrets }: Found): Check {
  if (claims.length === 0) return skipped('signature', 'There is none to compare with.')
  if (!fit) {
    const usable = secrets.filter((secret) => secret.usable !== undefined)
    if (usable.length === 0) return skipped('signature', 'Not tried: there is no secret that could be used.')
    const which = claims.length === 1 ? 'It fits' : 'Neither fits'
    const what = claims.length === 1 ? 'no secret that was given' : 'a secret that was given'
    return failed(
      'signature',
      `${which} ${what}, with the body as it is or with any usual change undone.`,
      'See secret and body.',
    )
  }
  const others = claims.filter(({ family }) => !fit.families.includes(family))
  if (others.length > 0) {
    const [fitting] = fit.families
    return failed(
      'signature',
      `${headerOf[fitting!]} fits, ${others.map(({ family }) => headerOf[family]).join()} does not.`,
      fitting === 'svc'
        ? 'If a gateway of yours adds webhook-… headers of its own, pass only the svc-webhook-… ones to the library.'
        : 'Something has changed the svc-webhook-… headers. Look for a proxy that rewrites them.',
    )
  }
  const [{ id, timestamp }] = claims as [(typeof claims)[number]]
  if (id !== fit.id)
    return failed('signature', `It fits the id ${fit.id}, but the header says ${JSON.stringify(id)}.`, passOn)
  if (timestamp !== fit.timestamp) {
    return failed(
      'signature',
      `It fits the time ${fit.timestamp}, but the header says ${JSON.stringify(timestamp)}.`,
      passOn,
    )
  }
  return ok(
    'signature',
    claims.length === 2 ? 'Both families’ signatures fit.' : `${headerOf[claims[0]!.family]} fits.`,
  )
}

const passOn = 'Something has changed the header. Pass the headers on as they came.'
