import { expect, test } from 'vitest'
import { isSignedBySlack, type SignedRequest } from './signature.ts'

/** The example of Slack's documentation (docs.slack.dev/authentication/verifying-requests-from-slack). */
const published: SignedRequest & { signature: string } = {
  signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  timestamp: '1531420618',
  body: Buffer.from(
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  ),
}
const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5'
const sentMs = 1_531_420_618_000
const check = (change: Partial<SignedRequest> = {}, { agoMs = 0, secret = signingSecret } = {}) =>
  isSignedBySlack({ ...published, ...change }, { signingSecret: secret, now: new Date(sentMs + agoMs) })

test('accepts the example of Slack’s documentation', () => {
  expect(check()).toBe(true)
})

test.each<[string, Partial<SignedRequest>]>([
  ['another body', { body: Buffer.from('token=x') }],
  ['no signature', { signature: undefined }],
  ['no timestamp', { timestamp: undefined }],
  ['another timestamp', { timestamp: '1531420619' }],
  ['a timestamp that is no number', { timestamp: '1531420618.5' }],
  ['an empty signature', { signature: '' }],
  ['a signature that was cut', { signature: published.signature.slice(0, -1) }],
  ['a signature in upper case', { signature: published.signature.toUpperCase() }],
  ['another version', { signature: published.signature.replace('v0', 'v1') }],
  ['one wrong digit', { signature: published.signature.replace(/3$/, '4') }],
])('rejects %s', (_, change) => {
  expect(check(change)).toBe(false)
})

test('rejects the secret of another app', () => {
  expect(check({}, { secret: '0123456789abcdef0123456789abcdef' })).toBe(false)
})

test.each([
  [300_000, true],
  [300_001, false],
  [-300_000, true],
  [-300_001, false],
])('a request that is %i ms old is accepted: %s', (agoMs, isAccepted) => {
  expect(check({}, { agoMs })).toBe(isAccepted)
})
