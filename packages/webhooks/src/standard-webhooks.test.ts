import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { signatureHeaders } from './signature-headers.ts'
import { completedEvent, failedEvent, secretA, secretB } from '../testing/samples.ts'
import { verify } from './verify.ts'

// That library uses the system's time, so these tests sign for the present.
const events = [completedEvent, { ...failedEvent, data: { ...failedEvent.data, reason: 'Zeit abgelaufen — 時間切れ 🕛' } }]

test.each(events)('the standardwebhooks library verifies our signatures: $type', async (event) => {
  const body = JSON.stringify(event, null, 1)
  const headers = await signatureHeaders({ id: event.id, body, secret: secretA })
  expect(new Webhook(secretA).verify(body, headers)).toEqual(event)
  expect(() => new Webhook(secretB).verify(body, headers)).toThrow('No matching signature')
  expect(() => new Webhook(secretA).verify(`${body} `, headers)).toThrow('No matching signature')
})

test.each(events)('we verify signatures of the standardwebhooks library: $type', async (event) => {
  const body = JSON.stringify(event)
  const now = new Date('2026-03-01T12:00:00.000Z')
  const headers = {
    'webhook-id': event.id,
    'webhook-timestamp': String(now.getTime() / 1000),
    'webhook-signature': new Webhook(secretA).sign(event.id, now, body),
  }
  expect(await verify({ body, headers, secret: secretA, now })).toEqual(event)
  await expect(verify({ body, headers, secret: secretB, now })).rejects.toMatchObject({ code: 'signature_mismatch' })
})
