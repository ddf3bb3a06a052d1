import { Type } from 'typebox'
import { whoAmI } from '../../../domain/people/organizations.ts'
import { signIn, signOut } from '../../../domain/people/sessions.ts'
import type { Services } from '../../../services.ts'
import { callerOf, sessionCookie } from '../../authenticate.ts'
import { closed } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

/** Signing in and out. Signing in is the one route of the pages that needs no session. */
export function sessionRoutes(open: Api, signedIn: Api, services: Services): void {
  const cookie = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: services.baseUrl.startsWith('https:'),
  } as const

  open.post(
    '/app/api/session',
    { schema: { body: Type.Object({ email: Type.String(), password: Type.String() }, closed) } },
    async (request, reply) => {
      const { token, expiresAt } = await signIn(services, request.body)
      return reply.setCookie(sessionCookie, token, { ...cookie, expires: expiresAt }).code(204).send()
    },
  )

  signedIn.get('/app/api/session', async (request) => whoAmI(services, callerOf(request)))

  signedIn.delete('/app/api/session', async (request, reply) => {
    await signOut(services, request.cookies[sessionCookie]!)
    return reply.clearCookie(sessionCookie, cookie).code(204).send()
  })
}
