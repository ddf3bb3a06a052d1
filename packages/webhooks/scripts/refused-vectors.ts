import {
  both,
  completed,
  type Headers,
  hmac,
  id,
  json,
  keys,
  refused,
  secretOf,
  sentSeconds,
  standard,
  svc,
} from './vector-parts.ts'

const { current, foreign } = keys
const hex = hmac(json).toString('hex')
const base64 = hmac(json).toString('base64')
const without = (headers: Headers, name: string): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name))
const svcSignature = (text: string) => ({ headers: { ...svc(json), 'svc-webhook-signature': text } })
const standardSignature = (text: string) => ({ headers: { ...standard(json), 'webhook-signature': text } })
const timestamp = (text: string) => ({ headers: svc(json, { timestamp: text }) })
const envelope = (changes: object) => ({ body: JSON.stringify({ ...completed, ...changes }) })

const withoutMs = '2026-09-21T13:33:19Z'
const later = String(sentSeconds + 600)
// Well-formed except for its ISO 8859-1 encoding: a lax decoder would put a replacement character in place of ä.
const notUtf8 = Buffer.from(json.replace('Daily', 'Tägliche'), 'latin1')
const { summary: _summary, ...dataWithoutSummary } = completed.data

const aboutTime = [
  refused('timestamp_too_old', 'one second too old', { now: sentSeconds + 301 }),
  refused('timestamp_too_new', 'one second too far ahead', { now: sentSeconds - 301 }),
  refused('timestamp_too_old', 'tolerance 0, one second old', { now: sentSeconds + 1, toleranceSeconds: 0 }),
  refused('timestamp_too_new', 'timestamp in tenths of a second', timestamp(`${sentSeconds}0`)),
  refused('bad_timestamp', 'timestamp in milliseconds', timestamp(`${sentSeconds}000`)),
  refused('bad_timestamp', 'timestamp with a fraction', timestamp(`${sentSeconds}.5`)),
  refused('bad_timestamp', 'timestamp as ISO text', timestamp('2026-09-21T13:33:20Z')),
  refused('bad_timestamp', 'timestamp with a leading zero', timestamp(`0${sentSeconds}`)),
  refused('bad_timestamp', 'negative timestamp', timestamp(`-${sentSeconds}`)),
  refused('bad_timestamp', 'timestamp with a letter after it', timestamp(`${sentSeconds}s`)),
]

const aboutSignature = [
  refused('signature_mismatch', 'old, with a fresh timestamp that was not signed', {
    headers: { ...both(json), 'svc-webhook-timestamp': later, 'webhook-timestamp': later },
    now: sentSeconds + 600,
  }),
  refused('signature_mismatch', 'body changed by one letter', {
    body: json.replace('up 4', 'up 5'),
    headers: both(json),
  }),
  refused('signature_mismatch', 'body serialized again with other white space', {
    body: JSON.stringify(completed, null, 2),
    headers: both(json),
  }),
  refused('signature_mismatch', 'id changed', {
    headers: { ...both(json), 'svc-webhook-id': 'evt_other', 'webhook-id': 'evt_other' },
  }),
  refused('signature_mismatch', 'signed with a foreign secret', { headers: both(json, { bytes: foreign }) }),
  refused('signature_mismatch', 'signed with the text of the secret, not its bytes', {
    headers: both(json, { bytes: Buffer.from(secretOf(current)) }),
  }),
  refused('bad_signature_format', 'signature without version', svcSignature(hex)),
  refused('bad_signature_format', 'signature of an unknown version only', svcSignature(`v2=${hex}`)),
  refused('bad_signature_format', 'hex in capitals', svcSignature(`v1=${hex.toUpperCase()}`)),
  refused('bad_signature_format', 'signature cut short', svcSignature(`v1=${hex.slice(0, -2)}`)),
  refused('bad_signature_format', 'standard writing in the svc header', svcSignature(`v1,${base64}`)),
  refused('bad_signature_format', 'svc writing in the standard header', standardSignature(`v1=${hex}`)),
  refused('bad_signature_format', 'base64 without padding', standardSignature(`v1,${base64.slice(0, -1)}`)),
  refused('signature_mismatch', 'base64 with stray last bits', standardSignature(`v1,${withStrayBit(base64)}`)),
]

const aboutHeaders = [
  refused('signature_mismatch', 'svc signature right, standard signature wrong', {
    headers: { ...svc(json), ...standard(json, { bytes: foreign }) },
  }),
  refused('signature_mismatch', 'svc signature wrong, standard signature right', {
    headers: { ...svc(json, { bytes: foreign }), ...standard(json) },
  }),
  refused('headers_disagree', 'families name different ids, each signed', {
    headers: { ...svc(json), ...standard(json, { as: 'evt_other' }) },
  }),
  refused('headers_disagree', 'families name different times, each signed', {
    headers: { ...svc(json), ...standard(json, { timestamp: String(sentSeconds + 1) }) },
  }),
  refused('missing_header', 'no headers', { headers: {} }),
  refused('missing_header', 'no signature', { headers: without(svc(json), 'svc-webhook-signature') }),
  refused('missing_header', 'no timestamp', { headers: without(standard(json), 'webhook-timestamp') }),
  refused('missing_header', 'no id', { headers: without(svc(json), 'svc-webhook-id') }),
  refused('missing_header', 'empty signature', svcSignature('')),
  refused('missing_header', 'svc headers incomplete: no falling back to the standard ones', {
    headers: without(both(json), 'svc-webhook-signature'),
  }),
  refused('missing_header', 'standard headers incomplete beside the svc ones', {
    headers: without(both(json), 'webhook-timestamp'),
  }),
  refused('duplicate_header', 'id twice', { headers: { ...svc(json), 'svc-webhook-id': [id, 'evt_other'] } }),
  refused('duplicate_header', 'signature twice, joined as servers do', svcSignature(`v1=${'0'.repeat(64)}, v1=${hex}`)),
  refused('bad_id', 'dot in the id', { headers: svc(json, { as: `${id}.1` }) }),
]

const aboutBody = [
  refused('bad_envelope', 'signed, but empty', { body: '' }),
  refused('bad_envelope', 'signed, but not JSON', { body: 'id=evt_1&type=automation.run.completed' }),
  refused('bad_envelope', 'signed, but not UTF-8', { body: notUtf8 }),
  refused('bad_envelope', 'signed, but a byte order mark before the JSON', { body: `\uFEFF${json}` }),
  refused('bad_envelope', 'signed, but a list', { body: JSON.stringify([completed]) }),
  refused('bad_envelope', 'signed, but without a type', envelope({ type: undefined })),
  refused('bad_envelope', 'signed, but createdAt without milliseconds', envelope({ createdAt: withoutMs })),
  refused('bad_envelope', 'signed, but without data', envelope({ data: null })),
  refused('bad_envelope', 'signed, but a completed run without its summary', envelope({ data: dataWithoutSummary })),
  refused('id_mismatch', 'signed, but another id in the body', envelope({ id: 'evt_other' })),
]

const aboutSecrets = [
  refused('bad_secret', 'secret without its prefix', { secrets: [current.toString('base64')] }),
  refused('bad_secret', 'secret that is not base64', { secrets: [`${secretOf(current)}!`] }),
  refused('bad_secret', 'secret of 8 bytes', { secrets: [secretOf(current.subarray(0, 8))] }),
  refused('bad_secret', 'one good and one empty secret', { secrets: [secretOf(current), ''] }),
  refused('bad_secret', 'no secrets', { secrets: [] }),
]

export const refusedVectors = [...aboutTime, ...aboutSignature, ...aboutHeaders, ...aboutBody, ...aboutSecrets]

/** Base64 of 32 bytes leaves two bits of its last character unused; a lax decoder accepts this as the same signature. */
function withStrayBit(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return `${text.slice(0, -2)}${alphabet[alphabet.indexOf(text.at(-2)!) + 1]}=`
}
