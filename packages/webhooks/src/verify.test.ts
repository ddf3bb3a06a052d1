import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import type { WebhookEvent } from './events.ts'
import type { HeadersLike } from './headers.ts'
import { signatureHeaders } from './signature-headers.ts'
import { completedEvent, failedEvent, secretA, secretB, secretC, sentAt } from '../testing/samples.ts'
import { verify, type VerifyOptions } from './verify.ts'

const body = JSON.stringify(completedEvent)
const headers = await signatureHeaders({ id: completedEvent.id, body, secret: secretA, sentAt })
const good: VerifyOptions = { body, headers, secret: secretA, now: sentAt }

/** Accepts anything, as JavaScript callers do. */
const refusal = (changes: object) =>
  verify({ ...good, ...changes }).then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )
async function signed(envelope: unknown, id = completedEvent.id): Promise<VerifyOptions> {
  const text = JSON.stringify(envelope)
  return { ...good, body: text, headers: await signatureHeaders({ id, body: text, secret: secretA, sentAt }) }
}

describe('bodies', () => {
  const bytes = Buffer.from(body)
  const larger = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')])
  test.each<[string, VerifyOptions['body']]>([
    ['text', body],
    ['Buffer', bytes],
    ['Uint8Array', new Uint8Array(bytes)],
    ['ArrayBuffer', new Uint8Array(bytes).buffer],
    ['DataView', new DataView(new Uint8Array(bytes).buffer)],
    ['a part of a larger buffer', larger.subarray(6, 6 + bytes.length)],
    ['shared memory', new Uint8Array(new SharedArrayBuffer(bytes.length)).fill(0).map((_, at) => bytes[at]!)],
    ['Uint8Array of another realm', runInNewContext('Uint8Array.from(bytes)', { bytes }) as Uint8Array],
    ['ArrayBuffer of another realm', runInNewContext('Uint8Array.from(bytes).buffer', { bytes }) as ArrayBuffer],
  ])('%s', async (_kind, given) => {
    expect(await verify({ ...good, body: given })).toEqual(completedEvent)
  })

  test.each([completedEvent, [], null, undefined, 7, true, new Blob([body])])('%o is not raw', async (given) => {
    expect(await refusal({ body: given })).toBe('body_not_raw')
  })

  test('the error for a parsed body says to pass the raw one, and blames the receiver', async () => {
    await expect(verify({ ...good, body: completedEvent as never })).rejects.toMatchObject({
      name: 'WebhookVerificationError',
      message: expect.stringMatching(/raw bytes.*before any JSON parsing/) as string,
      status: 500,
    })
  })

  test('returns what was verified, even if the buffer changes in the meantime', async () => {
    const mutable = Buffer.from(body)
    const verifying = verify({ ...good, body: mutable })
    mutable.set(Buffer.from(body.replace('rose', 'fell')))
    expect(await verifying).toEqual(completedEvent)
  })
})

describe('headers', () => {
  const pairs = Object.entries(headers)
  const mixedCase = Object.fromEntries(pairs.map(([name, value]) => [name.replace(/\bw/g, 'W'), value]))
  test.each<[string, HeadersLike]>([
    ['Headers', new Headers(headers)],
    ['plain object', headers],
    ['plain object in mixed case', mixedCase],
    ['arrays of one', Object.fromEntries(pairs.map(([name, value]) => [name, [value]]))],
    ['among others', { host: 'example.com', 'set-cookie': ['a', 'b'], get: 'x', absent: undefined, ...headers }],
    ['pairs', pairs],
    ['Map', new Map(pairs)],
    ['an object that has only get()', { get: (name: string) => new Headers(headers).get(name) }],
    ['an object without prototype', Object.assign(Object.create(null) as Record<string, string>, headers)],
  ])('%s', async (_kind, given) => {
    expect(await verify({ ...good, headers: given })).toEqual(completedEvent)
  })

  const repeated = new Headers(headers)
  repeated.append('svc-webhook-signature', headers['svc-webhook-signature'])
  test.each<[string, HeadersLike]>([
    ['in an array', { ...headers, 'webhook-id': [headers['webhook-id'], headers['webhook-id']] }],
    ['in two letter cases', { ...headers, 'Webhook-Id': headers['webhook-id'] }],
    ['in pairs', [...pairs, ['svc-webhook-id', 'evt_other']]],
    ['in Headers', repeated],
  ])('rejects a header given twice %s', async (_kind, given) => {
    expect(await refusal({ headers: given })).toBe('duplicate_header')
  })

  test.each([undefined, null, 'svc-webhook-id: x', ['svc-webhook-id', 'evt_1'], { 'webhook-id': 7 }, [[7, 'x']]])(
    '%o cannot be read',
    async (given) => {
      expect(await refusal({ headers: given })).toBe('bad_options')
    },
  )

  test('the error for a missing header names all missing ones', async () => {
    await expect(verify({ ...good, headers: { 'svc-webhook-id': 'evt_1' } })).rejects.toThrow(
      /svc-webhook-timestamp, svc-webhook-signature/,
    )
  })
})

describe('secrets', () => {
  test.each([[[secretA, secretB]], [[secretB, secretA]], [[secretB, secretC, secretA]], [[secretA, secretA]]])(
    'any of several secrets may match',
    async (secret) => {
      expect(await verify({ ...good, secret })).toEqual(completedEvent)
    },
  )

  test('rejects if none of several secrets matches', async () => {
    await expect(verify({ ...good, secret: [secretB, secretC] })).rejects.toThrow(/any of the 2 secrets/)
  })

  const inner = secretA.slice('whsec_'.length)
  test.each([
    undefined,
    null,
    '',
    7,
    [],
    [undefined],
    [secretA, undefined],
    inner,
    `whsec_${inner.slice(0, -1)}`,
    `whsec_${inner.slice(0, -2)}`,
    `whsec_${inner.slice(0, -3)}`,
    // 32 bytes leave two bits of the last character unused; E, which ends this one, becomes F.
    `whsec_${inner.replace(/E=$/, 'F=')}`,
    `whsec_${inner.replace('=', '')}`,
    `whsec_-_${inner.slice(2)}`,
    `${secretA}\n`,
    ` ${secretA}`,
    `whsec_${Buffer.alloc(23, 'a').toString('base64')}`,
    `whsec_${Buffer.alloc(65, 'a').toString('base64')}`,
  ])('rejects %o', async (secret) => {
    expect(await refusal({ secret })).toBe('bad_secret')
  })

  test("a bad secret is the receiver's fault, and is not revealed by the message", async () => {
    const failing = verify({ ...good, secret: [secretA, `${secretB}!`] })
    await expect(failing).rejects.toMatchObject({ code: 'bad_secret', status: 500 })
    await expect(failing).rejects.toThrow(/^Secret 2 is not base64/)
    await expect(failing).rejects.not.toThrow(secretB.slice(6, 20))
    await expect(verify({ ...good, secret: `${secretA}\n` })).rejects.toThrow(/whitespace/)
  })
})

describe('time', () => {
  const at = (seconds: number) => new Date(sentAt.getTime() + seconds * 1000)
  test.each([
    [300.999, undefined, 'accepted'],
    [301, undefined, 'timestamp_too_old'],
    [-300, undefined, 'accepted'],
    [-300.001, undefined, 'timestamp_too_new'],
    [0.999, 0, 'accepted'],
    [1, 0, 'timestamp_too_old'],
    [86_400, 86_400, 'accepted'],
  ])('%d seconds after sending, tolerance %s: %s', async (seconds, toleranceSeconds, expected) => {
    expect(await refusal({ now: at(seconds), toleranceSeconds })).toBe(expected)
  })

  const slips = [Number.NaN, -1, Infinity, '300'].map((value): object => ({ toleranceSeconds: value }))
  test.each([...slips, { now: new Date(Number.NaN) }])('a mistake in %o does not let every age pass', async (slip) => {
    expect(await refusal(slip)).toBe('bad_options')
    expect(await refusal({ now: at(9_999_999), ...slip })).toBe('bad_options')
  })

  test('now defaults to the current time', async () => {
    const { now: _now, ...atPresent } = good
    await expect(verify(atPresent)).rejects.toMatchObject({ code: 'timestamp_too_old', status: 400 })
    const sentNow = await signatureHeaders({ id: completedEvent.id, body, secret: secretA })
    expect(await verify({ ...atPresent, headers: sentNow })).toEqual(completedEvent)
  })

  test('the age is reported only for genuine requests', async () => {
    expect(await refusal({ now: at(3600), secret: secretB })).toBe('signature_mismatch')
  })
})

describe('events', () => {
  // What a receiver writes; it compiles only if the types narrow.
  function describeEvent(event: WebhookEvent): string {
    switch (event.type) {
      case 'automation.run.completed':
        return `completed: ${event.data.summary satisfies string}`
      case 'automation.run.failed':
        return `failed: ${event.data.reason satisfies string}`
      default:
        event satisfies { type: string; data: Record<string, unknown> }
        return event.type
    }
  }

  test('the types narrow the data', async () => {
    const described = async (options: VerifyOptions) => describeEvent(await verify(options))
    expect(await described(good)).toBe('completed: Orders rose by 3 %.')
    expect(await described(await signed(failedEvent, failedEvent.id))).toBe('failed: The query failed: no such table.')
    expect(await described(await signed({ ...completedEvent, type: 'automation.run.paused' }))).toBe('automation.run.paused')
  })

  test.each(['automation.run.paused', 'constructor', '__proto__', 'toString'])('accepts the unlisted type %s', async (type) => {
    const event = await verify(await signed({ ...completedEvent, type, data: { anything: [1] } }))
    expect(event).toEqual({ ...completedEvent, type, data: { anything: [1] } })
  })

  test('passes on an image in place of the reserved null', async () => {
    const data = { ...completedEvent.data, imageUrl: 'https://querypost.example.com/i.png' }
    expect((await verify(await signed({ ...completedEvent, data }))).data).toEqual(data)
  })

  const withData = (event: WebhookEvent, data: object) => ({ ...event, data: { ...event.data, ...data } })
  const wrong = [
    ...Object.keys(completedEvent.data).map((field) => withData(completedEvent, { [field]: 7 })),
    ...Object.keys(failedEvent.data).map((field) => withData(failedEvent, { [field]: undefined })),
    { ...completedEvent, data: { ...completedEvent.data, summary: null } },
    { ...completedEvent, id: 7 },
    { ...completedEvent, type: '' },
    { ...completedEvent, createdAt: '2026-13-01T00:00:00.000Z' },
    { ...completedEvent, createdAt: 1 },
    { ...completedEvent, data: [] },
    { ...completedEvent, type: 'automation.run.paused', data: undefined },
    { ...completedEvent, type: 'automation.run.paused', data: [] },
    null,
    'text',
  ]
  test.each(wrong)('%j is not an event', async (envelope) => {
    expect(await refusal(await signed(envelope))).toBe('bad_envelope')
  })
})

test('the error says so if there is no Web Crypto', async () => {
  vi.stubGlobal('crypto', undefined)
  try {
    await expect(verify(good)).rejects.toMatchObject({ code: 'crypto_unavailable', status: 500 })
  } finally {
    vi.unstubAllGlobals()
  }
})
