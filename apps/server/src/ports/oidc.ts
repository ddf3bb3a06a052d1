import * as oidc from 'openid-client'
import type { Clock } from './clock.ts'

/** The provider of the operator's choice, as far as signing in needs it (OpenID Connect, authorization code with PKCE). */
export interface OidcProvider {
  /** What the button says. */
  name: string
  issuer: string
  /** People whose verified address is of one of these join without an invitation. */
  allowedDomains: readonly string[]
  /** Where the browser goes. */
  authorizationUrl(request: OidcRequest & { redirectUri: string }): Promise<URL>
  /** Who came back with this address. Throws `OidcError` for everything that does not hold. */
  readPerson(callback: URL, request: OidcRequest): Promise<OidcPerson>
}

/** What binds an answer to the browser that asked. */
export interface OidcRequest {
  state: string
  nonce: string
  codeVerifier: string
}

export interface OidcPerson {
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
}

/** `isRefused`: the person, or the provider for them, said no; everything else is a fault. */
export class OidcError extends Error {
  override readonly name = 'OidcError'
  readonly isRefused: boolean

  constructor(message: string, isRefused: boolean, cause?: unknown) {
    super(message, { cause })
    this.isRefused = isRefused
  }
}

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  name: string
  allowedDomains: readonly string[]
}

const timeoutSeconds = 10
/** Providers change their keys and addresses seldom, and announce it by leaving both in place for longer than this. */
const discoveryKeptMs = 3600_000

/**
 * The provider is asked for its addresses when somebody first signs in, not at the start: that it is away must not keep the
 * service from starting. The operator names it, so it may stand in a private network.
 */
export function makeOidcProvider(options: {
  settings: OidcSettings
  clock: Clock
  fetch?: typeof globalThis.fetch
}): OidcProvider {
  const { settings, clock, fetch = globalThis.fetch } = options
  let known: { configuration: Promise<oidc.Configuration>; atMs: number } | undefined

  function discover(): Promise<oidc.Configuration> {
    const issuer = new URL(settings.issuer)
    const authentication = oidc.ClientSecretPost(settings.clientSecret)
    return oidc.discovery(issuer, settings.clientId, undefined, authentication, {
      // Redirects are refused by the library; nothing is followed anywhere else.
      [oidc.customFetch]: (url, init) => fetch(url, init as RequestInit),
      timeout: timeoutSeconds,
      execute: [
        // The signature is checked also where TLS would vouch for the provider.
        oidc.enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
      ],
    })
  }

  function configuration(): Promise<oidc.Configuration> {
    const nowMs = clock.monotonicMs()
    if (known && nowMs - known.atMs < discoveryKeptMs) return known.configuration
    const asked = { configuration: discover(), atMs: nowMs }
    known = asked
    asked.configuration.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.configuration
  }

  return {
    name: settings.name,
    issuer: settings.issuer,
    allowedDomains: settings.allowedDomains,
    async authorizationUrl({ redirectUri, state, nonce, codeVerifier }) {
      try {
        return oidc.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        })
      } catch (error) {
        throw asOidcError(error)
      }
    },
    async readPerson(callback, { state, nonce, codeVerifier }) {
      try {
        const found = await configuration()
        const tokens = await oidc.authorizationCodeGrant(found, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
        })
        const claims: Record<string, unknown> & { sub: string } = await claimsOf(found, tokens)
        return {
          subject: claims.sub,
          email: textOf(claims['email']),
          // Some providers write truth as text.
          isEmailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
          name: textOf(claims['name']) ?? textOf(claims['preferred_username']),
        }
      } catch (error) {
        throw asOidcError(error)
      }
    },
  }
}

/** Some providers put the address into the token, others give it only when asked. */
async function claimsOf(found: oidc.Configuration, tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>) {
  const claims = tokens.claims()!
  if (claims['email'] !== undefined || !found.serverMetadata().userinfo_endpoint) return claims
  return { ...claims, ...(await oidc.fetchUserInfo(found, tokens.access_token, claims.sub)) }
}

const textOf = (claim: unknown) => (typeof claim === 'string' && claim.trim() !== '' ? claim : null)

function asOidcError(error: unknown): OidcError {
  const isRefused = error instanceof oidc.AuthorizationResponseError
  return new OidcError(error instanceof Error ? error.message : String(error), isRefused, error)
}
