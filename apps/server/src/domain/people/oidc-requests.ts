import type { Clock } from '../../ports/clock.ts'
import type { OidcRequest } from '../../ports/oidc.ts'
import type { Random } from '../../ports/random.ts'
import type { Sealer } from '../sealing.ts'
import { newToken } from './tokens.ts'

/**
 * A *request* is one attempt to sign in at the OIDC provider. The browser that made it keeps it, encrypted, in a cookie, so an
 * answer is accepted only from that browser and no process needs to remember anything.
 */
export interface KeptRequest extends OidcRequest {
  /** A path of this service. */
  returnTo: string
}

export const oidcRequestLifetimeMs = 10 * 60_000
const context = 'oidc sign-in request'

export function makeOidcRequest(
  deps: { clock: Clock; random: Random; sealer: Sealer },
  { returnTo }: { returnTo: string },
): { request: KeptRequest; sealed: string } {
  const random = deps.random
  const request = {
    state: newToken(random),
    nonce: newToken(random),
    codeVerifier: newToken(random),
    returnTo: safePath(returnTo),
  }
  const expiresAtMs = deps.clock.now().getTime() + oidcRequestLifetimeMs
  const sealed = deps.sealer.seal(JSON.stringify({ ...request, expiresAtMs }), context)
  return { request, sealed: Buffer.from(sealed).toString('base64url') }
}

/** Undefined if it was not issued here or has expired. */
export function readOidcRequest(deps: { clock: Clock; sealer: Sealer }, sealed: string): KeptRequest | undefined {
  try {
    const opened = deps.sealer.open(Buffer.from(sealed, 'base64url'), context)
    const { expiresAtMs, ...request } = JSON.parse(opened) as KeptRequest & { expiresAtMs: number }
    return expiresAtMs > deps.clock.now().getTime() ? request : undefined
  } catch {
    return undefined
  }
}

/** The path to open after sign-in: always on this site, whatever the address bar contained. */
export function safePath(text: string): string {
  const here = 'http://here.invalid'
  if (!text.startsWith('/') || !URL.canParse(text, here)) return '/'
  const { origin, pathname, search, hash } = new URL(text, here)
  return origin === here && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : '/'
}
