import { type Check, failed, ok } from '../checks.ts'
import type { CapturedRequest } from './captured-request.ts'

/** The values of one header family; `packages/webhooks` explains why there are two. */
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
 * Checks the headers and reads the claim of each complete family. Faulty headers also yield claims where possible, so that one run
 * reports, say, both renamed headers and a wrong clock.
 */
export function examineHeaders(given: CapturedRequest['headers']): { check: Check; claims: Claim[] } {
  const { headers, spelling } = normalizeNames(given)
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
      `${parts.map((part) => `svc-webhook-${part}`).join(', ')} are all missing.`,
      'Capture all headers. If these are all, the request is not from Querypost, or a proxy removed the headers.',
    )
  }
  if (spelling !== undefined) {
    return failed(
      'headers',
      `The headers are spelled ${spelling}.`,
      'Pass them to the library under their real names, such as svc-webhook-id.',
    )
  }
  const missing = present.flatMap((family) => family.missing)
  if (missing.length > 0) {
    const complete = first ? ` The ${familyName(first)} headers are complete.` : ''
    return failed(
      'headers',
      `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} missing.${complete}`,
      'Look for a proxy or gateway that removes unknown headers. One complete family is enough; an incomplete one is rejected.',
    )
  }
  const repeated = present.flatMap((family) => family.repeated)
  if (repeated.length > 0) {
    const how = present.every(({ areSame }) => areSame) ? 'with the same value each time' : 'with different values'
    return failed(
      'headers',
      `${listed(repeated)} appears more than once, ${how}.`,
      'Look for a proxy that adds headers instead of passing them on.',
    )
  }
  if (first && second && (first.id !== second.id || first.timestamp !== second.timestamp)) {
    const part = first.id !== second.id ? 'id' : 'timestamp'
    return failed(
      'headers',
      `The two families disagree: svc-webhook-${part} is ${quoted(first[part])}, webhook-${part} is ${quoted(second[part])}.`,
      'If your gateway adds its own webhook-… headers, pass only the svc-webhook-… headers to the library.',
    )
  }
  const malformed = claims.flatMap((claim) => checkFormat(claim) ?? [])
  if (malformed[0]) return malformed[0]
  return ok(
    'headers',
    second ? 'Both header families are present and agree.' : `The ${familyName(first!)} headers are complete.`,
  )
}

interface Found {
  isPresent: boolean
  missing: string[]
  repeated: string[]
  areSame: boolean
}

function checkFormat({ family, id, timestamp, signature }: Claim): Check | undefined {
  const prefix = family === 'svc' ? 'svc-webhook-' : 'webhook-'
  const unchanged = 'Pass the header on unchanged.'
  if (!/^[\w-]{1,255}$/.test(id)) {
    return failed(
      'headers',
      `${prefix}id is ${quoted(id)}: expected are letters, digits, _ and -, as in evt_….`,
      unchanged,
    )
  }
  if (!/^[1-9]\d{0,11}$/.test(timestamp)) {
    const isMs = /^\d{13}$/.test(timestamp)
    const kind = isMs ? 'milliseconds' : Number.isNaN(Date.parse(timestamp)) ? 'not a number' : 'a date'
    return failed('headers', `${prefix}timestamp is ${quoted(timestamp)} (${kind}); expected are seconds since 1970.`, unchanged)
  }
  const form = family === 'svc' ? /^v1=[0-9a-f]{64}$/ : /^v1,[A-Za-z0-9+/]{43}=$/
  if (signature.split(' ').some((one) => form.test(one))) return undefined
  return failed('headers', `${prefix}signature ${describeSignatureFault(family, signature)}.`, unchanged)
}

function describeSignatureFault(family: Claim['family'], signature: string): string {
  const expected = family === 'svc' ? 'v1=<64 lowercase hex digits>' : 'v1,<base64 of 32 bytes>'
  if (/^(v1[=,])?[0-9A-F]{64}$/i.test(signature) && /[A-F]/.test(signature))
    return `has uppercase digits; expected is ${expected}`
  if (/^[0-9a-f]{64}$|^[A-Za-z0-9+/]{43}=$/.test(signature)) return `does not start with v1; expected is ${expected}`
  if (/^v1[=,]/.test(signature) && signature.length < (family === 'svc' ? 67 : 47)) {
    return `is cut off: ${signature.length} characters; expected is ${expected}`
  }
  return `is ${quoted(signature.slice(0, 80))}; expected is ${expected}`
}

const isWebhookHeader = (name: string) => /^(svc-)?webhook-(id|timestamp|signature)$/.test(name)

/** Recognizes names as in CGI, WSGI, PHP and Rack, or with underscores instead of hyphens. */
function normalizeNames(headers: CapturedRequest['headers']) {
  const names = headers.map(([name]) => name.toLowerCase())
  const lowerCase = headers.map(([, value], index): [string, string] => [names[index]!, value])
  if (names.some(isWebhookHeader)) return { headers: lowerCase, spelling: undefined }
  const normalNames = names.map((name) => name.replace(/^http_/, '').replaceAll('_', '-'))
  const found = names.find((_, index) => isWebhookHeader(normalNames[index]!))
  if (found === undefined) return { headers: lowerCase, spelling: undefined }
  const original = headers[names.indexOf(found)]![0]
  const spelling = `${original}, ${found.startsWith('http_') ? 'as CGI, WSGI and PHP show headers' : 'with underscores'}`
  return { headers: headers.map(([, value], index): [string, string] => [normalNames[index]!, value]), spelling }
}

const familyName = ({ family }: Claim) => (family === 'svc' ? 'svc-webhook-…' : 'webhook-…')
const quoted = (text: string) => JSON.stringify(text)
const listed = (names: string[]) => names.join(names.length === 2 ? ' and ' : ', ')
