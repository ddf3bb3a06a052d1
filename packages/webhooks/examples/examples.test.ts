import { signatureHeaders, type WebhookEvent } from '@querypost/webhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { completedEvent, secretA, secretB, secretC } from '../testing/samples.ts'
import { type Receiver, startReceiver } from './test-receivers.ts'

const frameworks = ['express', 'fastify', 'fetch'] as const
const data = { ...completedEvent.data, summary: 'Umsätze: +3 % 🚀' }
const body = JSON.stringify({ ...completedEvent, data }, null, 2)

describe.each(frameworks)('%s', (framework) => {
  let receiver: Receiver
  let events: WebhookEvent[]
  let onEvent: (event: WebhookEvent) => unknown

  beforeEach(async () => {
    events = []
    onEvent = (event) => events.push(event)
    receiver = await startReceiver[framework]({ secret: [secretA, secretB], onEvent: (event) => onEvent(event) })
  })
  afterEach(() => receiver.stop())

  interface Sending {
    text?: string | Uint8Array
    secret?: string
    sentAt?: Date
    headers?: Record<string, string>
  }
  async function send({ text = body, secret = secretA, sentAt = new Date(), headers = {} }: Sending = {}) {
    const signed = await signatureHeaders({ id: completedEvent.id, body, secret, sentAt })
    const response = await fetch(receiver.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed, ...headers },
      body: text as string,
    })
    const answer = await response.text()
    return { status: response.status, code: /"code":"(\w+)"/.exec(answer)?.[1] }
  }
  const accepted = { status: 204, code: undefined }

  test('accepts a valid request', async () => {
    expect(await send()).toEqual(accepted)
    expect(events).toEqual([JSON.parse(body)])
  })

  test('accepts one signed with the other of two secrets', async () => {
    expect(await send({ secret: secretB })).toEqual(accepted)
  })

  test('handles a duplicate once, whether it arrives later or at the same time', async () => {
    expect(await Promise.all([send(), send(), send()])).toEqual([accepted, accepted, accepted])
    expect(await send({ secret: secretB })).toEqual(accepted)
    expect(events.length).toBe(1)
  })

  test.each<[string, number, Sending]>([
    ['signature_mismatch', 400, { secret: secretC }],
    ['signature_mismatch', 400, { text: body.replace('+3', '+4') }],
    ['signature_mismatch', 400, { text: JSON.stringify(JSON.parse(body)) }],
    ['signature_mismatch', 400, { text: '' }],
    ['timestamp_too_old', 400, { sentAt: new Date(Date.now() - 10 * 60_000) }],
    ['timestamp_too_new', 400, { sentAt: new Date(Date.now() + 10 * 60_000) }],
    ['headers_disagree', 400, { headers: { 'webhook-id': 'evt_other' } }],
    ['bad_signature_format', 400, { headers: { 'svc-webhook-signature': 'v1=' } }],
  ])('rejects with %s', async (code, status, sending) => {
    expect(await send(sending)).toEqual({ status, code })
    expect(events).toEqual([])
  })

  test('rejects a request without signature headers, with any content type or none', async () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-type': 'application/json' }, {}]) {
      const response = await fetch(receiver.url, { method: 'POST', headers, body: new TextEncoder().encode('{') })
      expect([response.status, await response.json()]).toEqual([400, { code: 'missing_header' }])
    }
    const empty = await fetch(receiver.url, { method: 'POST' })
    expect([empty.status, await empty.json()]).toEqual([400, { code: 'missing_header' }])
  })

  test('rejects a signed request whose body was lost', async () => {
    const headers = await signatureHeaders({ id: completedEvent.id, body, secret: secretA })
    const response = await fetch(receiver.url, { method: 'POST', headers })
    expect([response.status, await response.json()]).toEqual([400, { code: 'signature_mismatch' }])
  })

  test('answers 500 if the event could not be handled, and accepts the next attempt', async () => {
    onEvent = () => Promise.reject(new Error('database down'))
    expect((await send()).status).toBe(500)
    onEvent = (event) => events.push(event)
    expect(await send()).toEqual(accepted)
    expect(events.length).toBe(1)
  })

  test('rejects other methods', async () => {
    const response = await fetch(receiver.url)
    expect([404, 405]).toContain(response.status)
  })
})

test.each(frameworks)('%s answers 500 if its own secret is wrong', async (framework) => {
  const receiver = await startReceiver[framework]({ secret: 'not a secret', onEvent: () => expect.unreachable() })
  try {
    const headers = await signatureHeaders({ id: completedEvent.id, body, secret: secretA })
    const response = await fetch(receiver.url, { method: 'POST', headers, body })
    expect([response.status, await response.json()]).toEqual([500, { code: 'bad_secret' }])
  } finally {
    await receiver.stop()
  }
})
