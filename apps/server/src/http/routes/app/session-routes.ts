import { Type } from 'typebox'
import { switchOrganization } from '../../../domain/people/account-sessions.ts'
import { whoAmI } from '../../../domain/people/organizations.ts'
import { signIn, signOut } from '../../../domain/people/sessions.ts'
import { startViewing, stopViewing } from '../../../domain/people/view-as.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { readOrganizationsOf } from '../../../store/people/users-table.ts'
import { callerOf, originOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { closed } from '../../schemas.ts'
import { Session, SignInOptions, signInResponse } from '../../schemas/people-schemas.ts'
import { makeSessionCookie, tokenOf, visitorOf } from '../../session-cookie.ts'
import type { Api } from '../../typed.ts'

/** Sign-in, sign-out, and switching between a user's organizations. */
export function sessionRoutes(open: Api, signedIn: Api, services: PeopleServices): void {
  const cookie = makeSessionCookie(services)

  open.get('/app/api/sign-in-options', { schema: { response: { 200: SignInOptions } } }, async () => ({
    oidc: services.oidc && { name: services.oidc.name },
    canResetPassword: services.mail !== null,
  }))

  open.post(
    '/app/api/session',
    { schema: { body: Type.Object({ email: Type.String(), password: Type.String() }, closed), response: signInResponse } },
    async (request, reply) => cookie.answer(reply, await signIn(services, { ...request.body, ...visitorOf(request) })),
  )

  signedIn.get('/app/api/session', { schema: { response: { 200: Session } } }, async (request) => {
    const caller = callerOf(request)
    const [member, organizations] = await Promise.all([
      whoAmI(services, caller),
      readOrganizationsOf(services.db, caller.userId),
    ])
    const isViewedAs = caller.viewedBy !== undefined
    // The others are no business of the admin who looks.
    const shown = isViewedAs ? organizations.filter(({ id }) => id === caller.organizationId) : organizations
    return { ...member, organizations: shown, isViewedAs }
  })

  signedIn.post(
    '/app/api/session/organization',
    { schema: { body: Type.Object({ organizationId: Type.String() }, closed), response: noContent } },
    async (request, reply) => {
      await switchOrganization(services, callerOf(request), { ...request.body, token: tokenOf(request) })
      return reply.code(204).send()
    },
  )

  signedIn.put(
    '/app/api/session/viewed-member',
    { schema: { body: Type.Object({ userId: Type.String() }, closed), response: noContent } },
    async (request, reply) => {
      await startViewing(services, callerOf(request), { ...request.body, token: tokenOf(request) })
      return reply.code(204).send()
    },
  )

  signedIn.delete(
    '/app/api/session/viewed-member',
    { config: { isAllowedWhileViewing: true }, schema: { response: noContent } },
    async (request, reply) => {
      await stopViewing(services, callerOf(request), tokenOf(request))
      return reply.code(204).send()
    },
  )

  signedIn.delete('/app/api/session', { config: { isAllowedWhileViewing: true }, schema: { response: noContent } }, async (request, reply) => {
    await signOut(services, tokenOf(request), originOf(request))
    return cookie.clear(reply).code(204).send()
  })
}
