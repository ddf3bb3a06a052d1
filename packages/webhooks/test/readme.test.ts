import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { verificationErrorCodes, verify, WebhookVerificationError } from '@querypost/webhooks'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const block = /```text\n(secret .*?)```/s.exec(readme)![1]!
const example = Object.fromEntries(
  Array.from(block.matchAll(/^(key in hex|[\w-]+) +(.+)$/gm), ([, name, value]) => [name!, value!]),
)
const { secret, body } = example as { secret: string; body: string }
const id = example['svc-webhook-id']!
const timestamp = example['svc-webhook-timestamp']!

test('the worked example is right, computed from its text without the library', () => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  expect(key.toString('hex')).toBe(example['key in hex'])
  expect(example['svc-webhook-signature']).toBe(`v1=${digest.toString('hex')}`)
  expect(example['webhook-signature']).toBe(`v1,${digest.toString('base64')}`)
})

test('the library accepts the worked example', async () => {
  const now = new Date(Number(timestamp) * 1000)
  const signature = example['svc-webhook-signature']!
  const headers = { 'svc-webhook-id': id, 'svc-webhook-timestamp': timestamp, 'svc-webhook-signature': signature }
  expect(await verify({ body, headers, secret, now })).toEqual(JSON.parse(body))
  const asStandard = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  const both = { ...headers, ...asStandard, 'webhook-signature': example['webhook-signature']! }
  expect(await verify({ body, headers: both, secret, now })).toEqual(JSON.parse(body))
})

test('the OpenSSL command names the same id, time and key', () => {
  expect(readme).toContain(`printf '${id}.${timestamp}.' | cat - body |`)
  expect(readme).toContain(`-macopt hexkey:${example['key in hex']}`)
})

test('the table of errors lists every code with its status, and no others', () => {
  const rows = readme.matchAll(/^\| `(\w+)` \| (400|500) \|/gm)
  const listed = Array.from(rows, ([, code, status]) => [code!, Number(status)])
  expect(listed).toEqual(verificationErrorCodes.map((code) => [code, new WebhookVerificationError(code, '').status]))
})
