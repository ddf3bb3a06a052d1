import { createHmac, type KeyObject } from 'node:crypto'

/**
 * The headers that let a receiver trust a request: HMAC-SHA256 with the secret's bytes over `<id>.<timestamp>.<body>`. They
 * come in two families with one digest: the contract's (hex) and that of Standard Webhooks (base64), so that any library for the
 * latter verifies our requests.
 */
export function signatureHeaders(options: {
  eventId: string
  /** Send time; fresh on every attempt. */
  now: Date
  body: Uint8Array
  key: KeyObject
}): Record<string, string> {
  const { eventId } = options
  const timestamp = String(Math.floor(options.now.getTime() / 1000))
  const digest = createHmac('sha256', options.key)
    .update(`${eventId}.${timestamp}.`)
    .update(options.body)
    .digest()
  return {
    'svc-webhook-id': eventId,
    'svc-webhook-timestamp': timestamp,
    'svc-webhook-signature': `v1=${digest.toString('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${digest.toString('base64')}`,
  }
}
