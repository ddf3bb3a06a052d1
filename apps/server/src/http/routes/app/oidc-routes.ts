import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { makeOidcRequest, oidcRequestLifetimeMs, readOidcRequest } from '../../../domain/people/oidc-requests.ts'
import { type OidcFault, signInByOidc } from '../../../domain/people/oidc-sign-in.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { OidcError } from '../../../ports/oidc.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { redirectAnswer } from '../../page-answers.ts'
import { makeSessionCookie, visitorOf } from '../../session-cookie.ts'
import type { Api } from '../../typed.ts'

/** What the sign-in page is told in its address. It has the words for each, so that nobody can put others there. */
type Fault = OidcFault | 'expired' | 'refused' | 'failed'

const requestCookie = 'querypost_oidc'

/**
 * Signing in at the operator's OIDC provider. These two are visited by the browser itself, so they answer with redirects,
 * also where they refuse.
 */
export function oidcRoutes(open: Api, services: PeopleServices): void {
  const { baseUrl, clock, log } = services
  const session = makeSessionCookie(services)
  const cookie = {
    path: '/app/api/oidc',
    httpOnly: true,
    // The provider's redirect comes from another site and must carry it.
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
    { schema: { querystring: Type.Object({ returnTo: Type.Optional(Type.String()) }), response: redirectAnswer } },
    async (request, reply) => {
      const { request: made, sealed } = makeOidcRequest(services, { returnTo: request.query.returnTo ?? '/' })
      try {
        const url = await provider().authorizationUrl({ ...made, redirectUri })
        const expires = new Date(clock.now().getTime() + oidcRequestLifetimeMs)
        return reply.setCookie(requestCookie, sealed, { ...cookie, expires }).redirect(url.href)
      } catch (error) {
        if (!(error instanceof OidcError)) throw error
        log.error({ err: error }, 'the OIDC provider could not be asked')
        return refuse(reply, 'failed', made.returnTo)
      }
    },
  )

  open.get('/app/api/oidc/callback', { schema: { response: redirectAnswer } }, async (request, reply) => {
    const oidc = provider()
    const sealed = request.cookies[requestCookie]
    const asked = sealed === undefined ? undefined : readOidcRequest(services, sealed)
    reply.clearCookie(requestCookie, cookie)
    if (!asked) return refuse(reply, 'expired', '/')
    try {
      const callback = new URL(redirectUri)
      callback.search = request.url.slice(request.url.indexOf('?') + 1)
      const person = await oidc.readPerson(callback, asked)
      const opened = await signInByOidc(services, oidc, { person, ...visitorOf(request) })
      if ('fault' in opened) return refuse(reply, opened.fault, asked.returnTo)
      return session.set(reply, opened).redirect(asked.returnTo)
    } catch (error) {
      if (!(error instanceof OidcError || error instanceof Refusal)) throw error
      log.warn({ err: error }, 'a sign-in by OIDC did not hold')
      return refuse(reply, error instanceof OidcError && error.isRefused ? 'refused' : 'failed', asked.returnTo)
    }
  })
}

function refuse(reply: FastifyReply, fault: Fault, returnTo: string): FastifyReply {
  const search = new URLSearchParams({ fault, ...(returnTo !== '/' && { returnTo }) })
  return reply.redirect(`/sign-in?${search.toString()}`)
}
