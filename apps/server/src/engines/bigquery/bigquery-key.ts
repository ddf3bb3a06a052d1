import { createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import type { ServerSettings } from '../../model/server-settings.ts'
import { type ExternalAccount, readExternalAccount } from './external-account.ts'
import { wrongKey } from './wrong-key.ts'

/** A service account's key, as Google's console downloads it. */
export interface ServiceAccountKey {
  kind: 'service_account'
  email: string
  keyId: string | undefined
  privateKey: KeyObject
  tokenUri: string
}

const googleTokenUri = 'https://oauth2.googleapis.com/token'
export const scope = 'https://www.googleapis.com/auth/bigquery'
const tokenLifetimeSeconds = 3600

/** The key of a service account, or the configuration of a workload identity. */
export function readCredentials(text: string, settings: ServerSettings): ServiceAccountKey | ExternalAccount {
  const fields = parsed(text)
  return fields['type'] === 'external_account' ? readExternalAccount(fields, settings) : readKey(fields, settings)
}

function readKey(fields: Record<string, unknown>, settings: ServerSettings): ServiceAccountKey {
  const { type, client_email: email, private_key: pem, private_key_id: keyId, token_uri: tokenUri = googleTokenUri } = fields
  if (type !== 'service_account' || typeof email !== 'string' || typeof pem !== 'string' || typeof tokenUri !== 'string') {
    throw wrongKey('The key must be the JSON of a service account, with client_email and private_key.')
  }
  if (email !== settings.user) throw wrongKey(`The key belongs to another service account, ${email}.`)
  // A signed request must not go to a server that only the key names.
  if (tokenUri !== googleTokenUri && tokenUri !== ownTokenUri(settings)) {
    throw wrongKey(`The key's token_uri must be ${googleTokenUri}.`)
  }
  return { kind: 'service_account', email, keyId: typeof keyId === 'string' ? keyId : undefined, privateKey: privateKeyOf(pem), tokenUri }
}

/** A private endpoint may issue the tokens, too. */
const ownTokenUri = ({ tls, host, port }: ServerSettings) => `${tls === 'off' ? 'http' : 'https'}://${host}:${port}/token`

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    throw wrongKey('The key is not JSON. Paste the whole file that Google’s console downloads.')
  }
}

function privateKeyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw wrongKey('The private_key of the key cannot be read. Paste the whole file that Google’s console downloads.')
  }
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The body of a request for an access token: a signed JSON web token (RFC 7523). */
export function tokenRequest(key: ServiceAccountKey, nowMs: number): string {
  const nowSeconds = Math.floor(nowMs / 1000)
  const header = { alg: 'RS256', typ: 'JWT', ...(key.keyId !== undefined && { kid: key.keyId }) }
  const claims = { iss: key.email, scope, aud: key.tokenUri, iat: nowSeconds, exp: nowSeconds + tokenLifetimeSeconds }
  const signed = `${encoded(header)}.${encoded(claims)}`
  const signature = createSign('RSA-SHA256').update(signed).sign(key.privateKey, 'base64url')
  return new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: `${signed}.${signature}` }).toString()
}
