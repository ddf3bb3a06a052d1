import {
  accepted,
  both,
  changed,
  completed,
  failed,
  hmac,
  json,
  keys,
  secretOf,
  sentSeconds,
  standard,
  svc,
} from './vector-parts.ts'

const { current, next, foreign } = keys
const hex = hmac(json).toString('hex')
const base64 = hmac(json).toString('base64')
const foreignDigest = hmac(json, { bytes: foreign })
const inCapitals = Object.fromEntries(Object.entries(both(json)).map(([name, value]) => [name.toUpperCase(), value]))
const envelope = (changes: object) => ({ body: JSON.stringify({ ...completed, ...changes }) })

export const acceptedVectors = [
  accepted('completed, both families of headers'),
  accepted('failed, both families of headers', { body: JSON.stringify(failed) }, 'automation.run.failed'),
  accepted('a changed result', { body: JSON.stringify(changed) }, 'reference.changed'),
  accepted('svc headers only', { headers: svc(json) }),
  accepted('standard headers only', { headers: standard(json) }),
  accepted('header names in capitals', { headers: inCapitals }),
  accepted('white space around and in the body is part of it', {
    body: `\n${JSON.stringify(completed, null, 2)}\r\n\t `,
  }),
  accepted(
    'letters beyond ASCII',
    envelope({ data: { ...completed.data, automationName: 'Umsätze 日本 🚀 e\u0301 \u2028' } }),
  ),
  accepted('escapes in the body are not rewritten', { body: json.replace('Daily', String.raw`\u0044aily\/`) }),
  accepted(
    'a type that was added later',
    envelope({ type: 'automation.run.paused', data: { until: null } }),
    'automation.run.paused',
  ),
  accepted('fields that were added later', envelope({ version: 2, data: { ...completed.data, tags: ['a'] } })),
  accepted('two secrets, signed with the first', { secrets: [secretOf(current), secretOf(next)] }),
  accepted('two secrets, signed with the second', { secrets: [secretOf(next), secretOf(current)] }),
  accepted('several signatures, the last one is right', {
    headers: {
      ...both(json),
      'svc-webhook-signature': `v1=${foreignDigest.toString('hex')} v1=${hex}`,
      'webhook-signature': `v1,${foreignDigest.toString('base64')} v1,${base64}`,
    },
  }),
  accepted('unknown signature versions are passed over', {
    headers: {
      ...both(json),
      'svc-webhook-signature': `v2=abc v1=${hex}`,
      'webhook-signature': `v1a,abc v1,${base64}`,
    },
  }),
  accepted('as old as tolerated', { now: sentSeconds + 300 }),
  accepted('as far ahead as tolerated', { now: sentSeconds - 300 }),
  accepted('older than usual, wider tolerance', { now: sentSeconds + 3600, toleranceSeconds: 3600 }),
]
