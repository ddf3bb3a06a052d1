import { Type } from 'typebox'
import { changeRole, listMembers, removeMember } from '../../../domain/people/members.ts'
import { resetSecondFactor } from '../../../domain/people/reset-second-factor.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { closed, wholeList } from '../../schemas.ts'
import { Member, Role } from '../../schemas/people-schemas.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

/** The members of the caller's organization. */
export function memberRoutes(api: Api, services: PeopleServices): void {
  const params = Type.Object({ userId: Type.String() })

  api.get('/app/api/members', { schema: { response: { 200: wholeList(Member) } } }, async (request) => ({
    items: (await listMembers(services, callerOf(request))).map(timesAsText),
  }))

  api.patch(
    '/app/api/members/:userId',
    { schema: { params, body: Type.Object({ role: Role }, closed), response: { 200: Member } } },
    async (request) =>
      timesAsText(await changeRole(services, callerOf(request), { ...request.params, ...request.body })),
  )

  api.delete('/app/api/members/:userId', { schema: { params, response: noContent } }, async (request, reply) => {
    await removeMember(services, callerOf(request), request.params.userId)
    return reply.code(204).send()
  })

  api.delete('/app/api/members/:userId/second-factor', { schema: { params, response: noContent } }, async (request, reply) => {
    await resetSecondFactor(services, callerOf(request), request.params.userId)
    return reply.code(204).send()
  })
}
