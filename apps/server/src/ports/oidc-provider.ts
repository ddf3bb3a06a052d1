import * as oidc from 'openid-client'
import type { Clock } from './clock.ts'
import { OidcError, type OidcProvider, type OidcSettings } from './oidc.ts'

const timeoutSeconds = 10
/** Providers rarely change their keys and addresses, and keep both old and new ones in place for longer than this. */
const discoveryKeptMs = 3600_000

/**
 * The provider's metadata is fetched at the first sign-in, not at startup: an unavailable provider must not keep the service from
 * starting. The operator chooses the provider, so it may be in a private network.
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
      // The library rejects redirects, so none is followed.
      [oidc.customFetch]: (url, init) => fetch(url, init as RequestInit),
      timeout: timeoutSeconds,
      execute: [
        // The signature is checked even if TLS already authenticates the provider.
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
    managesRoles: Boolean(settings.roles),
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
        const claims: Record<string, unknown> & { sub: string } = await claimsOf(found, tokens, claimsIn(settings))
        return {
          subject: claims.sub,
          email: textOf(claims['email']),
          // Some providers send booleans as text.
          isEmailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
          name: textOf(claims['name']) ?? textOf(claims['preferred_username']),
          isAdmin: settings.roles ? textsAt(claims, settings.roles.claim).includes(settings.roles.admin) : null,
          groups: settings.groupsClaim ? textsAt(claims, settings.groupsClaim) : null,
          attributes: settings.attributes?.length ? attributesIn(claims, settings.attributes) : null,
        }
      } catch (error) {
        throw asOidcError(error)
      }
    },
  }
}

const claimsIn = ({ roles, groupsClaim, attributes = [] }: OidcSettings): string[] => [
  ...(roles ? [roles.claim] : []),
  ...(groupsClaim ? [groupsClaim] : []),
  ...attributes.map(({ claim }) => claim),
]

/** Some providers put the address and other claims into the token, others return them only on request. */
async function claimsOf(
  found: oidc.Configuration,
  tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>,
  needed: string[],
) {
  const claims = tokens.claims()!
  const isComplete = claims['email'] !== undefined && needed.every((claim) => claimAt(claims, claim) !== undefined)
  if (isComplete || !found.serverMetadata().userinfo_endpoint) return claims
  return { ...claims, ...(await oidc.fetchUserInfo(found, tokens.access_token, claims.sub)) }
}

/** A name that contains dots, such as a URL, is looked up as a whole first. */
function claimAt(claims: Record<string, unknown>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((value, name) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    return isObject ? (value as Record<string, unknown>)[name] : undefined
  }, claims)
}

/** The texts of a claim that is a list or a single text. */
export function textsAt(claims: Record<string, unknown>, path: string): string[] {
  return [claimAt(claims, path)].flat().filter((each) => typeof each === 'string')
}

/** A claim with several values has no single one, so the attribute is missing then. */
export function attributesIn(
  claims: Record<string, unknown>,
  attributes: readonly { name: string; claim: string }[],
): Record<string, string> {
  const entries = attributes.flatMap(({ name, claim }) => {
    const [value, ...others] = [claimAt(claims, claim)].flat()
    const isSingle = others.length === 0 && (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return isSingle ? [[name, String(value)] as const] : []
  })
  return Object.fromEntries(entries)
}

const textOf = (claim: unknown) => (typeof claim === 'string' && claim.trim() !== '' ? claim : null)

function asOidcError(error: unknown): OidcError {
  const isRefused = error instanceof oidc.AuthorizationResponseError
  return new OidcError(error instanceof Error ? error.message : String(error), isRefused, error)
}
