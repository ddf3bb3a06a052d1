import { Type } from 'typebox'
import { whoAmI } from '../../domain/people/organizations.ts'
import { scopes } from '../../model/api-key-scope.ts'
import type { BaseServices } from '../../domain/services.ts'
import { responses } from '../responses.ts'
import { callerOf } from '../authenticate.ts'
import { described, NullableTimestamp, oneOf } from '../schemas.ts'
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
    role: described(oneOf(['admin', 'member']), 'Always member for a key that belongs to groups.'),
    key: Type.Object({
      id: Type.String({ examples: ['key_3h5j'] }),
      name: Type.String({ description: 'The name given when the key was created.', examples: ['Bootstrap key'] }),
      scopes: Type.Array(oneOf(scopes), { description: 'What the key may do.', examples: [['read', 'run', 'write', 'admin']] }),
      expiresAt: described(NullableTimestamp, 'When the key stops working. Null: never.'),
      groupIds: Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'The groups that the key belongs to, if it sees what they may see. Null: it sees what its user may see.',
        examples: [null],
      }),
    }),
  },
  { title: 'Me', description: 'The user the key belongs to, their organization and role, and the key’s name.' },
)

/** Identifies the caller: the first request to try with a new API key. Not part of the retired API. */
export function meRoutes(api: Api, services: BaseServices): void {
  api.get(
    '/api/me',
    {
      config: { scope: 'none' },
      schema: {
        operationId: 'me.get',
        tags: ['Account'],
        summary: 'Identify an API key',
        description: 'Returns the user, organization and name of the API key. Changes nothing, so use it to check that a key works.',
        response: responses(200, Me, [], { needsScope: false }),
      },
    },
    async (request) => {
      const { keyId, keyName, scopes: granted, expiresAt, groupIds } = request.key!
      const key = { id: keyId, name: keyName, scopes: granted, expiresAt: expiresAt?.toISOString() ?? null, groupIds }
      const caller = callerOf(request)
      return { ...(await whoAmI(services, caller)), role: caller.role, key }
    },
  )
}
