import { expect, test } from 'vitest'
import { signatureHeaders } from './signature-headers.ts'
import { completedEvent, secretA, secretC, sentAt } from '../testing/samples.ts'
import { verify } from './verify.ts'

// Mixing the two families of headers must not help an attacker.
const body = JSON.stringify(completedEvent)
const headers = await signatureHeaders({ id: completedEvent.id, body, secret: secretA, sentAt })
const names = Object.keys(headers) as (keyof typeof headers)[]

type SomeHeaders = Record<string, string | undefined>
const outcome = (given: SomeHeaders, text = body) =>
  verify({ body: text, headers: given, secret: secretA, now: sentAt }).then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )

test('accepts no mix of two genuine requests', async () => {
  const otherBody = JSON.stringify({ ...completedEvent, id: 'evt_second' })
  const sentLater = new Date(sentAt.getTime() + 1000)
  const other = await signatureHeaders({ id: 'evt_second', body: otherBody, secret: secretA, sentAt: sentLater })
  const whole = [names, names.slice(0, 3), names.slice(3)]
  const accepted: string[] = []
  // Every header is missing, or from one of the two requests: 3 ** 6 requests, each with either body.
  for (let choice = 0; choice < 3 ** names.length; choice++) {
    const origins = names.map((_, index) => ['', 'one', 'other'][Math.floor(choice / 3 ** index) % 3]!)
    const values: Record<string, SomeHeaders> = { '': {}, one: headers, other }
    const mixed = Object.fromEntries(names.map((name, index) => [name, values[origins[index]!]![name]]))
    if ((await outcome(mixed, body)) === 'accepted') accepted.push(`body of one, headers ${origins.join()}`)
    if ((await outcome(mixed, otherBody)) === 'accepted') accepted.push(`body of other, headers ${origins.join()}`)
  }
  const expected = ['one', 'other'].flatMap((origin) =>
    whole.map((family) => {
      const origins = names.map((name) => (family.includes(name) ? origin : ''))
      return `body of ${origin}, headers ${origins.join()}`
    }),
  )
  expect(accepted.sort()).toEqual(expected.sort())
})

test.each(['svc-webhook-signature', 'webhook-signature'] as const)(
  'a foreign signature in %s is rejected despite a valid one in the other family',
  async (name) => {
    const foreign = await signatureHeaders({ id: completedEvent.id, body, secret: secretC, sentAt })
    expect(await outcome({ ...headers, [name]: foreign[name] })).toBe('signature_mismatch')
  },
)

test('the id of one family cannot be changed to bypass deduplication', async () => {
  expect(await outcome({ ...headers, 'webhook-id': 'evt_fresh' })).toBe('headers_disagree')
  expect(await outcome({ ...headers, 'svc-webhook-id': 'evt_fresh' })).toBe('headers_disagree')
})

test('an unsigned time cannot be made fresh in one family', async () => {
  expect(await outcome({ ...headers, 'webhook-timestamp': '1790000000' })).toBe('headers_disagree')
})

test('a caller that passes on the headers may omit the other family', async () => {
  const ofGateway = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' }
  expect(await outcome({ ...headers, ...ofGateway })).toBe('headers_disagree')
  const svcOnly = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('svc-')))
  expect(await outcome(svcOnly)).toBe('accepted')
})
