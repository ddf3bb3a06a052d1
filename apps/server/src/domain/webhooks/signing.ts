import { createHmac, type KeyObject } from 'node:crypto'

/** Headers of every request besides its signature. */
export const plainHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'user-agent': 'Querypost-Webhooks/1',
  'accept-encoding': 'identity',
}

/**
 * The headers that let a receiver verify a request: HMAC-SHA256 with the secret's bytes over `<id>.<timestamp>.<body>`. They come
 * in two families with the same digest: the contract's (hex) and that of Standard Webhooks (base64), so that any Standard Webhooks
 * library verifies our requests.
 */
export function signatureHeaders(options: {
  eventId: string
  /** Send time; fresh on every attempt. */
  now: Date
  body: Uint8Array
  key: KeyObject
}): Record<string, string> {
  const timestamp = String(Math.floor(options.now.getTime() / 1000))
  const digest = createHmac('sha256', options.key)
    .update(`${options.eventId}.${timestamp}.`)
    .update(options.body)
    .digest()
  return bothFamilies({ eventId: options.eventId, timestamp, digest })
}

/** The same headers again, from a recorded attempt. */
export function headersAsSigned(eventId: string, signed: { timestamp: string; signature: string }): Record<string, string> {
  const digest = Buffer.from(signed.signature.slice(prefix.length), 'hex')
  return bothFamilies({ eventId, timestamp: signed.timestamp, digest })
}

/** The headers that are the same in every attempt: all but the time and the signature. */
export const headersOfEvent = (eventId: string): Record<string, string> => ({
  ...plainHeaders,
  'svc-webhook-id': eventId,
  'webhook-id': eventId,
})

const prefix = 'v1='

const bothFamilies = ({ eventId, timestamp, digest }: { eventId: string; timestamp: string; digest: Buffer }) => ({
  'svc-webhook-id': eventId,
  'svc-webhook-timestamp': timestamp,
  'svc-webhook-signature': `${prefix}${digest.toString('hex')}`,
  'webhook-id': eventId,
  'webhook-timestamp': timestamp,
  'webhook-signature': `v1,${digest.toString('base64')}`,
})
