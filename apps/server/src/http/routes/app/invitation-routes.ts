import { Type } from 'typebox'
import { acceptInvitation, readInvitation } from '../../../domain/people/accept-invitation.ts'
import type { Caller } from '../../../model/caller.ts'
import { createInvitation, listInvitations, withdrawInvitation } from '../../../domain/people/invitations.ts'
import { refuseWhileViewing } from '../../../domain/people/view-as.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { callerOf, sessionCookie } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { closed, wholeList } from '../../schemas.ts'
import { Invitation, NewInvitation, OpenedInvitation, Role, signInResponse } from '../../schemas/people-schemas.ts'
import { makeSessionCookie, visitorOf } from '../../session-cookie.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

/** Admins create invitations; anyone with the link can accept one, with or without a session. */
export function invitationRoutes(
  open: Api,
  signedIn: Api,
  services: PeopleServices & { sessionCaller(token: string): Promise<Caller | undefined> },
): void {
  const cookie = makeSessionCookie(services)

  signedIn.get('/app/api/invitations', { schema: { response: { 200: wholeList(Invitation) } } }, async (request) => ({
    items: (await listInvitations(services, callerOf(request))).map(timesAsText),
  }))

  signedIn.post(
    '/app/api/invitations',
    { schema: { body: Type.Object({ email: Type.String(), role: Role }, closed), response: { 201: NewInvitation } } },
    async (request, reply) =>
      reply.code(201).send(timesAsText(await createInvitation(services, callerOf(request), request.body))),
  )

  signedIn.delete(
    '/app/api/invitations/:id',
    { schema: { params: Type.Object({ id: Type.String() }), response: noContent } },
    async (request, reply) => {
      await withdrawInvitation(services, callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  )

  open.post(
    '/app/api/invitations/read',
    { schema: { body: Type.Object({ token: Type.String() }, closed), response: { 200: OpenedInvitation } } },
    async (request) => timesAsText(await readInvitation(services, request.body)),
  )

  open.post(
    '/app/api/invitations/accept',
    {
      schema: {
        body: Type.Object(
          { token: Type.String(), name: Type.Optional(Type.String()), password: Type.Optional(Type.String()) },
          closed,
        ),
        response: signInResponse,
      },
    },
    async (request, reply) => {
      const token = request.cookies[sessionCookie]
      const caller = token === undefined ? undefined : await services.sessionCaller(token)
      if (caller) refuseWhileViewing(caller)
      const session = await acceptInvitation(services, {
        ...request.body,
        ...visitorOf(request),
        signedIn: caller && { caller, token: token! },
      })
      return session ? cookie.answer(reply, session) : reply.code(204).send()
    },
  )
}
