import { Type } from 'typebox'
import { readPasswordReset, requestPasswordReset, resetPassword } from '../../../domain/people/password-reset.ts'
import { finishWelcome, readWelcome } from '../../../domain/people/welcome.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { originOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { closed } from '../../schemas.ts'
import { PasswordReset, signInResponse, Welcome } from '../../schemas/people-schemas.ts'
import { makeSessionCookie, visitorOf } from '../../session-cookie.ts'
import type { Api } from '../../typed.ts'

const Token = Type.Object({ token: Type.String() }, closed)

/** The welcome link of the first start, and password reset links. The link is enough; no session is needed. */
export function linkRoutes(open: Api, services: PeopleServices): void {
  const cookie = makeSessionCookie(services)

  open.post('/app/api/welcome/read', { schema: { body: Token, response: { 200: Welcome } } }, async (request) =>
    readWelcome(services, request.body),
  )

  open.post(
    '/app/api/welcome',
    {
      schema: {
        body: Type.Object(
          {
            token: Type.String(),
            name: Type.String(),
            email: Type.Optional(Type.String()),
            password: Type.String(),
            organizationName: Type.String(),
          },
          closed,
        ),
        response: signInResponse,
      },
    },
    async (request, reply) =>
      cookie.answer(reply, await finishWelcome(services, { ...request.body, ...visitorOf(request) })),
  )

  open.post(
    '/app/api/password-reset/request',
    { schema: { body: Type.Object({ email: Type.String() }, closed), response: noContent } },
    async (request, reply) => {
      await requestPasswordReset(services, { ...request.body, origin: originOf(request) })
      return reply.code(204).send()
    },
  )

  open.post(
    '/app/api/password-reset/read',
    { schema: { body: Token, response: { 200: PasswordReset } } },
    async (request) => readPasswordReset(services, request.body),
  )

  open.post(
    '/app/api/password-reset',
    { schema: { body: Type.Object({ token: Type.String(), password: Type.String() }, closed), response: signInResponse } },
    async (request, reply) =>
      cookie.answer(reply, await resetPassword(services, { ...request.body, ...visitorOf(request) })),
  )
}
