import { Type } from 'typebox'
import { whoAmI } from '../../domain/people/organizations.ts'
import type { Services } from '../../services.ts'
import { callerOf } from '../authenticate.ts'
import { answers, oneOf } from '../schemas.ts'
import type { Api } from '../typed.ts'

const Me = Type.Object({
  user: Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() }),
  organization: Type.Object({ id: Type.String(), name: Type.String() }),
  role: oneOf(['admin', 'member']),
  key: Type.Object({ id: Type.String(), name: Type.String() }),
})

/** Who am I: the first thing to try with a new API key. Not part of the retired interface. */
export function meRoutes(api: Api, services: Services): void {
  api.get(
    '/api/me',
    { schema: { tags: ['Account'], summary: 'Who this API key belongs to', response: answers(200, Me, []) } },
    async (request) => {
      const { keyId, keyName } = request.key!
      return { ...(await whoAmI(services, callerOf(request))), key: { id: keyId, name: keyName } }
    },
  )
}
