import { type Check, failed, ok } from '../check.ts'
import type { CapturedRequest } from './captured-request.ts'

/** What one of the two families of headers says; `packages/webhooks` tells why there are two. */
export interface Claim {
  family: 'svc' | 'standard'
  id: string
  timestamp: string
  signature: string
}

const families = [
  { family: 'svc', prefix: 'svc-webhook-' },
  { family: 'standard', prefix: 'webhook-' },
] as const
const parts = ['id', 'timestamp', 'signature'] as const

/**
 * How the headers are, and what each whole family claims. A claim is also made of headers that a check has failed
 * for, as well as that goes: whoever has a proxy that changes their names wants to hear of the clock in the same
 * answer.
 */
export function examineHeaders(given: CapturedRequest['headers']): { check: Check; claims: Claim[] } {
  const { headers, spelling } = respelled(given)
  const valuesOf = (name: string) =>
    headers.filter(([other]) => other === name).flatMap(([, value]) => value.split(', '))
  const found = families.map(({ family, prefix }) => {
    const names = parts.map((part) => `${prefix}${part}`)
    const values = names.map((name) => valuesOf(name).filter((value) => value !== ''))
    const missing = names.filter((_, index) => values[index]!.length === 0)
    const repeated = names.filter((_, index) => values[index]!.length > 1)
    const [id, timestamp, signature] = values.map(([first]) => first) as [string, string, string]
    const claim: Claim | undefined = missing.length === 0 ? { family, id, timestamp, signature } : undefined
    const areSame = values.every((ofOne) => new Set(ofOne).size <= 1)
    return { isPresent: missing.length < parts.length, missing, repeated, areSame, claim }
  })
  const claims = found.flatMap(({ claim }) => claim ?? [])
  return { check: judge({ found, claims, spelling }), claims }
}

function judge({ found, claims, spelling }: { found: Found[]; claims: Claim[]; spelling: string | undefined }): Check {
  const present = found.filter(({ isPresent }) => isPresent)
  const [first, second] = claims
  if (present.length === 0) {
    return failed(
      'headers',
      `None of ${parts.map((part) => `svc-webhook-${part}`).join(', ')} is there.`,
      'Capture all headers. If these are all, the request is none of Querypost’s, or a proxy in front of the ' +
      'receiver removed them.',
    )
  }
  if (spelling !== undefined) {
    return failed(
      'headers',
      `They are spelled ${spelling}.`,
      'Give them to the library by their real names: svc-webhook-id.',
    )
  }
  const missing = present.flatMap((family) => family.missing)
  if (missing.length > 0) {
    const whole = first ? ` The ${familyName(first)} headers are complete.` : ''
    return failed(
      'headers',
      `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} missing.${whole}`,
      'Look for a proxy or gateway that removes headers it does not know. One whole family is enough, half a ' +
      'one is refused.',
    )
  }
  const repeated = present.flatMap((family) => family.repeated)
  if (repeated.length > 0) {
    const how = present.every(({ areSame }) => areSame) ? 'with the same value each time' : 'with different values'
    return failed(
      'headers',
      `${listed(repeated)} came more than once, ${how}.`,
      'It is not clear which one is meant. Look for a proxy that adds headers instead of passing them on.',
    )
  }
  if (first && second && (first.id !== second.id || first.timestamp !== second.timestamp)) {
    const what = first.id !== second.id ? 'id' : 'timestamp'
    return failed(
      'headers',
      `The two families disagree: svc-webhook-${what} is ${quoted(first[what])}, webhook-${what} is ${quoted(second[what])}.`,
      'If a gateway of yours adds webhook-… headers of its own, pass only the svc-webhook-… ones to the library.',
    )
  }
  const malformed = claims.flatMap((claim) => faultOfForm(claim) ?? [])
  if (malformed[0]) return malformed[0]
  return ok(
    'headers',
    second ? 'Both families are there and agree.' : `The ${familyName(first!)} family is there, and whole.`,
  )
}

interface Found {
  isPresent: boolean
  missing: string[]
  repeated: string[]
  areSame: boolean
}

function faultOfForm({ family, id, timestamp, signature }: Claim): Check | undefined {
  const prefix = family === 'svc' ? 'svc-webhook-' : 'webhook-'
  const asTheyCame = 'Pass the header as it came.'
  if (!/^[\w-]{1,255}$/.test(id)) {
    return failed(
      'headers',
      `${prefix}id is ${quoted(id)}: letters, digits, _ and - are expected, as in evt_….`,
      asTheyCame,
    )
  }
  if (!/^[1-9]\d{0,11}$/.test(timestamp)) {
    const isMs = /^\d{13}$/.test(timestamp)
    const what = isMs ? 'milliseconds' : Number.isNaN(Date.parse(timestamp)) ? 'no number' : 'a date'
    return failed('headers', `${prefix}timestamp is ${quoted(timestamp)}: ${what}, not seconds since 1970.`, asTheyCame)
  }
  const form = family === 'svc' ? /^v1=[0-9a-f]{64}$/ : /^v1,[A-Za-z0-9+/]{43}=$/
  if (signature.split(' ').some((one) => form.test(one))) return undefined
  return failed('headers', `${prefix}signature ${faultOfSignature(family, signature)}.`, asTheyCame)
}

function faultOfSignature(family: Claim['family'], signature: string): string {
  const expected = family === 'svc' ? 'v1=<64 lower-case hex digits>' : 'v1,<base64 of 32 bytes>'
  if (/^(v1[=,])?[0-9A-F]{64}$/i.test(signature) && /[A-F]/.test(signature))
    return `has upper-case digits; expected is ${expected}`
  if (/^[0-9a-f]{64}$|^[A-Za-z0-9+/]{43}=$/.test(signature)) return `has no v1 in front; expected is ${expected}`
  if (/^v1[=,]/.test(signature) && signature.length < (family === 'svc' ? 67 : 47)) {
    return `is cut off: ${signature.length} characters; expected is ${expected}`
  }
  return `is ${quoted(signature.slice(0, 80))}; expected is ${expected}`
}

const isOurs = (name: string) => /^(svc-)?webhook-(id|timestamp|signature)$/.test(name)

/** Names as CGI and its heirs (WSGI, PHP, Rack) have them, or with underscores for hyphens. */
function respelled(headers: CapturedRequest['headers']) {
  const names = headers.map(([name]) => name.toLowerCase())
  const lowerCase = headers.map(([, value], index): [string, string] => [names[index]!, value])
  if (names.some(isOurs)) return { headers: lowerCase, spelling: undefined }
  const respelledNames = names.map((name) => name.replace(/^http_/, '').replaceAll('_', '-'))
  const found = names.find((_, index) => isOurs(respelledNames[index]!))
  if (found === undefined) return { headers: lowerCase, spelling: undefined }
  const original = headers[names.indexOf(found)]![0]
  const spelling = `${original}, ${found.startsWith('http_') ? 'as CGI, WSGI and PHP show headers' : 'with underscores'}`
  return { headers: headers.map(([, value], index): [string, string] => [respelledNames[index]!, value]), spelling }
}

const familyName = ({ family }: Claim) => (family === 'svc' ? 'svc-webhook-…' : 'webhook-…')
const quoted = (text: string) => JSON.stringify(text)
const listed = (names: string[]) => names.join(names.length === 2 ? ' and ' : ', ')
