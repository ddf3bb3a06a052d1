import { createHash, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'

/** A user of the provider. */
export interface OidcUser {
  [claim: string]: unknown
  sub: string
  email?: string
  email_verified?: boolean | string
  name?: string
}

/** A real OIDC provider on loopback: discovery, authorization code with PKCE, RS256 tokens, keys and userinfo. */
export interface OidcServer {
  issuer: string
  clientId: string
  clientSecret: string
  /** The user signed in at the provider; null if the user denies access. */
  user: OidcUser | null
  /** Faults of the next tokens. */
  faults: { nonce?: string; audience?: string; isSignedByAnother?: boolean; isExpired?: boolean }
  /** The claims in the token. Others are only available from userinfo. */
  claimsInToken: 'all' | 'subject'
  /** Every request so far, as `GET /path`. */
  asked: string[]
  close(): Promise<void>
}

const makeKeys = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Grant {
  user: OidcUser
  nonce: string | null
  challenge: string
  redirectUri: string
}

export async function startOidcServer(): Promise<OidcServer> {
  const [own, another] = await Promise.all([makeKeys(), makeKeys()])
  const jwk = own.publicKey.export({ format: 'jwk' })
  const codes = new Map<string, Grant>()
  const users = new Map<string, OidcUser>()

  function answer(request: IncomingMessage, body: string, response: ServerResponse) {
    const url = new URL(request.url!, state.issuer)
    state.asked.push(`${request.method} ${url.pathname}`)
    const say = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const known: Record<string, () => void> = {
      'GET /.well-known/openid-configuration': () => say(200, metadata(state.issuer)),
      'GET /keys': () => say(200, { keys: [{ ...jwk, use: 'sig', alg: 'RS256', kid: 'own' }] }),
      'GET /authorize': () => authorize(url.searchParams, response),
      'POST /token': () => {
        const tokens = exchange(new URLSearchParams(body))
        say('error' in tokens ? 400 : 200, tokens)
      },
      'GET /userinfo': () => {
        const user = users.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
        say(user ? 200 : 401, user ?? { error: 'invalid_token' })
      },
    }
    const respond = known[`${request.method} ${url.pathname}`]
    if (respond) respond()
    else say(404, {})
  }

  function authorize(asked: URLSearchParams, response: ServerResponse) {
    const redirectUri = asked.get('redirect_uri')!
    const back = new URL(redirectUri)
    back.searchParams.set('state', asked.get('state')!)
    const isUsual =
      asked.get('response_type') === 'code' &&
      asked.get('client_id') === state.clientId &&
      asked.get('code_challenge_method') === 'S256'
    if (!state.user || !isUsual) back.searchParams.set('error', isUsual ? 'access_denied' : 'invalid_request')
    else {
      const code = randomBytes(16).toString('hex')
      const challenge = asked.get('code_challenge')!
      codes.set(code, { user: state.user, nonce: asked.get('nonce'), challenge, redirectUri })
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  function exchange(asked: URLSearchParams) {
    const code = asked.get('code') ?? ''
    const grant = codes.get(code)
    // A code can be used once.
    codes.delete(code)
    const isClient = asked.get('client_id') === state.clientId && asked.get('client_secret') === state.clientSecret
    if (!isClient) return { error: 'invalid_client' }
    const challenge = createHash('sha256').update(asked.get('code_verifier') ?? '').digest('base64url')
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== asked.get('redirect_uri')) {
      return { error: 'invalid_grant' }
    }
    const accessToken = randomBytes(16).toString('hex')
    users.set(accessToken, grant.user)
    return { access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idToken(grant) }
  }

  function idToken({ user, nonce }: Grant): string {
    const { faults } = state
    state.faults = {}
    const nowSeconds = Math.floor(Date.now() / 1000) - (faults.isExpired ? 3600 : 0)
    const claims = {
      iss: state.issuer,
      aud: faults.audience ?? state.clientId,
      iat: nowSeconds,
      exp: nowSeconds + 300,
      nonce: faults.nonce ?? nonce,
      ...(state.claimsInToken === 'all' ? user : { sub: user.sub }),
    }
    return signed(claims, faults.isSignedByAnother ? another.privateKey : own.privateKey)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(request, Buffer.concat(chunks).toString(), response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const state: OidcServer = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'querypost',
    clientSecret: 'a secret of the client',
    user: null,
    faults: {},
    claimsInToken: 'all',
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return state
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  }
}

function signed(claims: object, key: KeyObject): string {
  const content = `${encode({ alg: 'RS256', kid: 'own' })}.${encode(claims)}`
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`
}
