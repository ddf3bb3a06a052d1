import { Type } from 'typebox'
import { changeRole, listMembers, removeMember } from '../../../domain/people/members.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { closed, oneOf } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

/** The people of the caller's organization. */
export function memberRoutes(api: Api, services: PeopleServices): void {
  const params = Type.Object({ userId: Type.String() })

  api.get('/app/api/members', async (request) => ({ items: await listMembers(services, callerOf(request)) }))

  api.patch(
    '/app/api/members/:userId',
    { schema: { params, body: Type.Object({ role: oneOf(['admin', 'member']) }, closed) } },
    async (request) => changeRole(services, callerOf(request), { ...request.params, ...request.body }),
  )

  api.delete('/app/api/members/:userId', { schema: { params } }, async (request, reply) => {
    await removeMember(services, callerOf(request), request.params.userId)
    return reply.code(204).send()
  })
}
