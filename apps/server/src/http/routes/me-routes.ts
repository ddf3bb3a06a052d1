import { Type } from 'typebox'
import { whoAmI } from '../../domain/people/organizations.ts'
import type { BaseServices } from '../../domain/services.ts'
import { answers } from '../answers.ts'
import { callerOf } from '../authenticate.ts'
import { oneOf } from '../schemas.ts'
import type { Api } from '../typed.ts'

const Me = Type.Object(
  {
    user: Type.Object({
      id: Type.String({ examples: ['user_2n4k8mq7'] }),
      email: Type.String({ examples: ['admin@localhost'] }),
      name: Type.String({ examples: ['Admin'] }),
    }),
    organization: Type.Object({
      id: Type.String({ examples: ['org_7d3f'] }),
      name: Type.String({ examples: ['My organization'] }),
    }),
    role: oneOf(['admin', 'member']),
    key: Type.Object({
      id: Type.String({ examples: ['key_3h5j'] }),
      name: Type.String({ description: 'The name it was given when it was made.', examples: ['Bootstrap key'] }),
    }),
  },
  { title: 'Me', description: 'The person the key belongs to, their organization and role, and the key itself.' },
)

/** Who am I: the first thing to try with a new API key. Not part of the retired interface. */
export function meRoutes(api: Api, services: BaseServices): void {
  api.get(
    '/api/me',
    {
      schema: {
        operationId: 'me.get',
        tags: ['Account'],
        summary: 'Who this API key belongs to',
        description: 'Needs nothing but a key, and changes nothing: the way to see whether a key works, and where.',
        response: answers(200, Me, []),
      },
    },
    async (request) => {
      const { keyId, keyName } = request.key!
      return { ...(await whoAmI(services, callerOf(request))), key: { id: keyId, name: keyName } }
    },
  )
}
