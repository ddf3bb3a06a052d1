import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { makeSignIn, readPrivateKey } from './snowflake-sign-in.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

test.each([
  ['as its file has it', pem],
  ['without line breaks', pem.replaceAll('\n', ' ')],
  ['in the older form', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()],
])('reads a private key %s', (_, text) => {
  expect(readPrivateKey(text).equals(privateKey)).toBe(true)
})

test.each([
  ['secret', /PEM form/],
  [privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString(), /encrypted/],
  [pem.replaceAll(/[A-Za-z0-9+/]{40}\n/g, '\n'), /cannot be read/],
  [generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), /RSA/],
])('rejects another key', (text, message) => {
  expect(() => readPrivateKey(text)).toThrow(message)
  expect(() => readPrivateKey(text)).toThrow(/^Authentication failed/)
})

test('signs a token for less than an hour, and a new one before it expires', async () => {
  const clock = manualClock()
  const settings = {
    host: 'x', port: 443, otherHosts: [], database: 'SHOP', user: 'Reader', tls: 'verified' as const, certificateAuthority: null, options: { signIn: 'keyPair' },
  }
  const signIn = makeSignIn({ settings, host: 'xy12345.eu-central-1.snowflakecomputing.com', password: pem, clock })
  const claims = () => JSON.parse(Buffer.from(signIn()['authorization']!.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>
  const first = signIn()['authorization']
  expect(claims()).toMatchObject({ sub: 'XY12345.READER', iat: 1767603600, exp: 1767607200, iss: expect.stringMatching(/^XY12345\.READER\.SHA256:.{44}$/) as string })
  await clock.advance(2_999_000)
  expect(signIn()['authorization']).toBe(first)
  await clock.advance(1_000)
  expect(claims()).toMatchObject({ iat: 1767606600 })
})
