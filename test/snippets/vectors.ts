import { readFileSync } from 'node:fs'

interface Vector {
  name: string
  secrets: string[]
  headers: Record<string, string | string[]>
  body?: string
  bodyBase64?: string
  now: number
  toleranceSeconds: number
  expected: { ok: true; eventId: string; type: string } | { ok: false; code: string }
}

const text = readFileSync(new URL('../../packages/webhooks/vectors.json', import.meta.url), 'utf8')
const { vectors } = JSON.parse(text) as { vectors: Vector[] }
const genuine = 'evt_8cQm3vTz5KpWn2RyXd7LbH automation.run.completed'

/**
 * The receivers read only the `svc-webhook-…` headers and the fields they use. They ignore the other header family and other fields, so
 * exactly these vectors have another verdict than with the library.
 */
const otherwise: Record<string, string> = {
  'standard headers only': 'missing_header',
  'svc writing in the standard header': 'missing_header',
  'base64 without padding': 'missing_header',
  'base64 with stray last bits': 'missing_header',
  'svc signature right, standard signature wrong': genuine,
  'families name different ids, each signed': genuine,
  'families name different times, each signed': genuine,
  'standard headers incomplete beside the svc ones': genuine,
  'signed, but createdAt without milliseconds': genuine,
  'signed, but a completed run without its summary': genuine,
}

/** Requests as a web server passes them to the receiver: lowercase names, repeated headers joined, the body as bytes. */
export const requests = vectors.map(({ secrets, headers, body, bodyBase64, now, toleranceSeconds }) => ({
  secrets,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')])),
  bodyBase64: bodyBase64 ?? Buffer.from(body!).toString('base64'),
  now,
  toleranceSeconds,
}))

export const expectedVerdicts = vectors.map(({ name, expected }) => ({
  name,
  verdict: otherwise[name] ?? (expected.ok ? `${expected.eventId} ${expected.type}` : expected.code),
}))

export const strayNames = Object.keys(otherwise).filter((name) => !vectors.some((vector) => vector.name === name))
