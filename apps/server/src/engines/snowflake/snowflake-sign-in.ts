import { createHash, createPrivateKey, createPublicKey, createSign, type KeyObject } from 'node:crypto'
import type { ServerSettings } from '../../model/server-settings.ts'
import type { Clock } from '../../ports/clock.ts'
import { SnowflakeError } from './snowflake-failure.ts'

/** The server accepts tokens of at most an hour. */
const tokenLifetimeSeconds = 3600
/** A token is replaced before it expires, so that none expires on its way. */
const tokenUseSeconds = 3000

/** The headers that sign in, for the next request. */
export type SignIn = () => Record<string, string>

export function makeSignIn(options: { settings: ServerSettings; host: string; password: string | null; clock: Clock }): SignIn {
  const { settings, host, password, clock } = options
  if (settings.options?.['signIn'] === 'token') return () => headersOf('PROGRAMMATIC_ACCESS_TOKEN', password ?? '')
  const account = settings.options?.['account'] ?? accountIn(host)
  let key: KeyObject | undefined
  let token: { text: string; madeAtSeconds: number } | undefined
  return () => {
    key ??= readPrivateKey(password ?? '')
    const nowSeconds = Math.floor(clock.now().getTime() / 1000)
    if (!token || nowSeconds - token.madeAtSeconds >= tokenUseSeconds || nowSeconds < token.madeAtSeconds) {
      token = { text: webToken({ key, account, user: settings.user, nowSeconds }), madeAtSeconds: nowSeconds }
    }
    return headersOf('KEYPAIR_JWT', token.text)
  }
}

const headersOf = (type: string, token: string) => ({
  authorization: `Bearer ${token}`,
  'x-snowflake-authorization-token-type': type,
})

/**
 * The account as tokens name it: `xy12345` of `xy12345.eu-central-1.snowflakecomputing.com`, `organization-account` of
 * `organization-account.snowflakecomputing.com`.
 */
export const accountIn = (host: string) => host.split('.')[0]!

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JSON web token signed with the key, whose issuer names the account, the user and the fingerprint of the public key. */
export function webToken(options: { key: KeyObject; account: string; user: string; nowSeconds: number }): string {
  const { key, account, user, nowSeconds } = options
  const subject = `${account.replaceAll('.', '-')}.${user}`.toUpperCase()
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const fingerprint = createHash('sha256').update(publicKey).digest('base64')
  const claims = { iss: `${subject}.SHA256:${fingerprint}`, sub: subject, iat: nowSeconds, exp: nowSeconds + tokenLifetimeSeconds }
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`
}

const wrongKey = (message: string) => new SnowflakeError('unreachable', `Authentication failed. ${message}`, { code: 'KEY_INVALID' })

/** PEM. A field of a form may have dropped its line breaks. */
export function readPrivateKey(text: string): KeyObject {
  const parts = /-----BEGIN ((?:RSA |ENCRYPTED )?PRIVATE KEY)-----([\s\S]+)-----END \1-----/.exec(text)
  if (!parts) throw wrongKey('Enter the private key in PEM form, from -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----.')
  const [, label, body = ''] = parts
  if (label === 'ENCRYPTED PRIVATE KEY' || body.includes('Proc-Type')) {
    throw wrongKey('The private key is encrypted. Decrypt it with: openssl pkcs8 -in rsa_key.p8 -out decrypted.p8')
  }
  const lines = body.replaceAll(/\s+/g, '').match(/.{1,64}/g) ?? []
  try {
    const key = createPrivateKey(`-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`)
    if (key.asymmetricKeyType === 'rsa') return key
  } catch {
    throw wrongKey('The private key cannot be read. Paste the whole file.')
  }
  throw wrongKey('The private key must be an RSA key.')
}
