import { Type } from 'typebox'
import { endSession, listSessions } from '../../../domain/people/account-sessions.ts'
import { changePassword, editAccount, getAccount } from '../../../domain/people/account-settings.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { closed, wholeList } from '../../schemas.ts'
import { Account, AccountSession } from '../../schemas/people-schemas.ts'
import { makeSessionCookie, tokenOf } from '../../session-cookie.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

/** The account of the signed-in user. */
export function accountRoutes(api: Api, services: PeopleServices): void {
  const cookie = makeSessionCookie(services)

  api.get('/app/api/account', { schema: { response: { 200: Account } } }, async (request) =>
    getAccount(services, callerOf(request)),
  )

  api.patch(
    '/app/api/account',
    {
      schema: {
        body: Type.Object({ name: Type.Optional(Type.String()) }, closed),
        response: { 200: Account },
      },
    },
    async (request) => editAccount(services, callerOf(request), request.body),
  )

  api.post(
    '/app/api/account/password',
    {
      schema: {
        body: Type.Object({ currentPassword: Type.String(), newPassword: Type.String() }, closed),
        response: noContent,
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { passwordStamp } = await changePassword(services, caller, { ...request.body, token: tokenOf(request) })
      return cookie.rememberDevice(reply, { userId: caller.userId, passwordStamp }).code(204).send()
    },
  )

  api.get('/app/api/account/sessions', { schema: { response: { 200: wholeList(AccountSession) } } }, async (request) => ({
    items: (await listSessions(services, callerOf(request), tokenOf(request))).map(timesAsText),
  }))

  api.delete(
    '/app/api/account/sessions/:id',
    { schema: { params: Type.Object({ id: Type.String() }), response: noContent } },
    async (request, reply) => {
      await endSession(services, callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
