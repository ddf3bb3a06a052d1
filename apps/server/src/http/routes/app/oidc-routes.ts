import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { makeOidcRequest, oidcRequestLifetimeMs, readOidcRequest } from '../../../domain/people/oidc-requests.ts'
import { type OidcFault, signInByOidc } from '../../../domain/people/oidc-sign-in.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { OidcError } from '../../../ports/oidc.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { redirectResponse } from '../../page-responses.ts'
import { makeSessionCookie, visitorOf } from '../../session-cookie.ts'
import type { Api } from '../../typed.ts'

/** Passed to the sign-in page in its URL. The page has the text for each, so a link cannot inject other text. */
type Fault = OidcFault | 'expired' | 'refused' | 'failed'

const requestCookie = 'querypost_oidc'

/**
 * Sign-in through the operator's OIDC provider. The browser visits these two routes itself, so they always respond with redirects, even
 * for errors.
 */
export function oidcRoutes(open: Api, services: PeopleServices): void {
  const { baseUrl, clock, log } = services
  const session = makeSessionCookie(services)
  const cookie = {
    path: '/app/api/oidc',
    httpOnly: true,
    // The provider's redirect comes from another site and must carry the cookie.
    sameSite: 'lax',
    secure: baseUrl.startsWith('https:'),
  } as const
  const redirectUri = `${baseUrl}/app/api/oidc/callback`

  function provider() {
    if (services.oidc) return services.oidc
    throw new Refusal('route_not_found', 'Sign-in with an OIDC provider is not set up on this service.')
  }

  open.get(
    '/app/api/oidc/start',
    { schema: { querystring: Type.Object({ returnTo: Type.Optional(Type.String()) }), response: redirectResponse } },
    async (request, reply) => {
      const { request: made, sealed } = makeOidcRequest(services, { returnTo: request.query.returnTo ?? '/' })
      try {
        const url = await provider().authorizationUrl({ ...made, redirectUri })
        const expires = new Date(clock.now().getTime() + oidcRequestLifetimeMs)
        return reply.setCookie(requestCookie, sealed, { ...cookie, expires }).redirect(url.href)
      } catch (error) {
        if (!(error instanceof OidcError)) throw error
        log.error({ err: error }, 'OIDC provider unreachable')
        return redirectWithFault(reply, 'failed', made.returnTo)
      }
    },
  )

  open.get('/app/api/oidc/callback', { schema: { response: redirectResponse } }, async (request, reply) => {
    const oidc = provider()
    const sealed = request.cookies[requestCookie]
    const oidcRequest = sealed === undefined ? undefined : readOidcRequest(services, sealed)
    reply.clearCookie(requestCookie, cookie)
    if (!oidcRequest) return redirectWithFault(reply, 'expired', '/')
    try {
      const callback = new URL(redirectUri)
      callback.search = request.url.slice(request.url.indexOf('?') + 1)
      const person = await oidc.readPerson(callback, oidcRequest)
      const opened = await signInByOidc(services, oidc, { person, ...visitorOf(request) })
      if ('fault' in opened) return redirectWithFault(reply, opened.fault, oidcRequest.returnTo)
      return session.set(reply, opened).redirect(oidcRequest.returnTo)
    } catch (error) {
      if (!(error instanceof OidcError || error instanceof Refusal)) throw error
      log.warn({ err: error }, 'OIDC sign-in rejected')
      return redirectWithFault(reply, error instanceof OidcError && error.isRefused ? 'refused' : 'failed', oidcRequest.returnTo)
    }
  })
}

function redirectWithFault(reply: FastifyReply, fault: Fault, returnTo: string): FastifyReply {
  const search = new URLSearchParams({ fault, ...(returnTo !== '/' && { returnTo }) })
  return reply.redirect(`/sign-in?${search.toString()}`)
}
