import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WebhookVerificationError } from './errors.ts'
import { signatureHeaders } from './signature-headers.ts'
import { completedEvent, secretA, secretB, secretC, sentAt } from '../testing/samples.ts'
import { verify, type VerifyOptions } from './verify.ts'

const settings = { seed: 20260301, numRuns: 300 }
const body = JSON.stringify(completedEvent)
const bodyBytes = new TextEncoder().encode(body)
const headers = await signatureHeaders({ id: completedEvent.id, body, secret: secretA, sentAt })
const good = { body, headers, secret: secretA, now: sentAt }

type HeaderName = keyof typeof headers
const names = Object.keys(headers) as HeaderName[]
const svcOnly = pick((name) => name.startsWith('svc-'))
const standardOnly = pick((name) => name.startsWith('webhook-'))
function pick(holds: (name: HeaderName) => boolean): Record<string, string> {
  return Object.fromEntries(names.filter(holds).map((name) => [name, headers[name]]))
}

async function code(options: VerifyOptions): Promise<string> {
  try {
    await verify(options)
    return 'accepted'
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code
    throw error
  }
}

test('accepts the three sets of headers unchanged', async () => {
  for (const family of [headers, svcOnly, standardOnly]) {
    expect(await code({ ...good, headers: family })).toBe('accepted')
  }
})

// Exhaustive, not a sample.
test('rejects any single bit changed in a header, in both families and in each alone', async () => {
  for (const family of [headers, svcOnly, standardOnly]) {
    for (const [name, value] of Object.entries(family)) {
      for (let index = 0; index < value.length; index++) {
        for (let bit = 0; bit < 8; bit++) {
          const changed = String.fromCharCode(value.charCodeAt(index) ^ (1 << bit))
          const text = value.slice(0, index) + changed + value.slice(index + 1)
          expect(await code({ ...good, headers: { ...family, [name]: text } }), `${name}: ${text}`).not.toBe('accepted')
        }
      }
    }
  }
})

test('rejects any single bit changed in the body', async () => {
  for (let index = 0; index < bodyBytes.length; index++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = bodyBytes.with(index, bodyBytes[index]! ^ (1 << bit))
      expect(await code({ ...good, body: changed })).toBe('signature_mismatch')
    }
  }
})

test('rejects bytes added or removed at either end of the body', async () => {
  const someBytes = fc.uint8Array({ minLength: 1, maxLength: 20 })
  const property = fc.asyncProperty(someBytes, fc.boolean(), async (more, isBefore) => {
    const longer = isBefore ? [...more, ...bodyBytes] : [...bodyBytes, ...more]
    expect(await code({ ...good, body: Uint8Array.from(longer) })).toBe('signature_mismatch')
    const shorter = isBefore ? bodyBytes.subarray(more.length) : bodyBytes.subarray(0, -more.length)
    expect(await code({ ...good, body: shorter })).toBe('signature_mismatch')
  })
  await fc.assert(property, settings)
})

test('rejects a boundary moved between id, timestamp and body', async () => {
  // The same signed text, divided elsewhere.
  const signedText = `${completedEvent.id}.${headers['svc-webhook-timestamp']}.${body}`
  const dots = [...signedText.matchAll(/\./g)].map(({ index }) => index)
  for (const first of dots) {
    for (const second of dots.filter((dot) => dot > first)) {
      const id = signedText.slice(0, first)
      const timestamp = signedText.slice(first + 1, second)
      if (id === completedEvent.id && timestamp === headers['svc-webhook-timestamp']) continue
      const moved = { ...svcOnly, 'svc-webhook-id': id, 'svc-webhook-timestamp': timestamp }
      const rest = signedText.slice(second + 1)
      expect(await code({ ...good, headers: moved, body: rest })).toMatch(/^bad_(id|timestamp)$/)
    }
  }
})

const whiteSpace = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 20 })
test('any text with any whitespace passes unchanged, as text and as bytes', async () => {
  const property = fc.asyncProperty(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.jsonValue(),
    fc.tuple(whiteSpace, whiteSpace),
    fc.integer({ min: 0, max: 8 }),
    async (summary, extra, [before, after], indent) => {
      const event = { ...completedEvent, data: { ...completedEvent.data, summary, extra } }
      const text = before + JSON.stringify(event, null, indent) + after
      const signed = await signatureHeaders({ id: event.id, body: text, secret: secretA, sentAt })
      for (const given of [text, new TextEncoder().encode(text)]) {
        // JSON decides what the text means (-0 is written as 0); we only guarantee that it passes through.
        expect(await verify({ ...good, body: given, headers: signed })).toEqual(JSON.parse(text))
      }
    },
  )
  await fc.assert(property, settings)
})

test('any bytes can be signed; those that are not an event are rejected for that reason only', async () => {
  const property = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
    const signed = await signatureHeaders({ id: completedEvent.id, body: bytes, secret: secretA, sentAt })
    expect(await code({ ...good, body: bytes, headers: signed })).toBe('bad_envelope')
  })
  await fc.assert(property, settings)
})

test('accepts header names in any letter case and order', async () => {
  const casing = fc.array(fc.boolean(), { minLength: 24, maxLength: 24 })
  const order = fc.shuffledSubarray(names, { minLength: names.length })
  const property = fc.asyncProperty(order, casing, fc.boolean(), async (order, capitals, asPairs) => {
    const pairs = order.map((name): [string, string] => [
      Array.from(name, (letter, index) => (capitals[index] ? letter.toUpperCase() : letter)).join(''),
      headers[name],
    ])
    expect(await code({ ...good, headers: asPairs ? pairs : Object.fromEntries(pairs) })).toBe('accepted')
  })
  await fc.assert(property, settings)
})

test('the order of secrets and signatures does not matter', async () => {
  const bySecret = new Map<string, typeof headers>()
  for (const secret of [secretA, secretB, secretC]) {
    bySecret.set(secret, await signatureHeaders({ id: completedEvent.id, body, secret, sentAt }))
  }
  const some = fc.shuffledSubarray([...bySecret.keys()], { minLength: 1 })
  const property = fc.asyncProperty(some, some, async (receivers, senders) => {
    const list = (name: 'svc-webhook-signature' | 'webhook-signature') =>
      senders.map((secret) => bySecret.get(secret)![name]).join(' ')
    const signed = {
      ...headers,
      'svc-webhook-signature': list('svc-webhook-signature'),
      'webhook-signature': list('webhook-signature'),
    }
    const share = receivers.some((secret) => senders.includes(secret))
    expect(await code({ ...good, headers: signed, secret: receivers })).toBe(share ? 'accepted' : 'signature_mismatch')
  })
  await fc.assert(property, settings)
})

test('any input gives an event or one of the codes', async () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...Object.values(headers)))
  const strange = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] })
  const property = fc.asyncProperty(strange, fc.uint8Array(), async (given, bytes) => {
    expect(await code({ ...good, headers: given as Record<string, string>, body: bytes })).not.toBe('accepted')
  })
  await fc.assert(property, settings)
})
