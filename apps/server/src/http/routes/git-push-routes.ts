import { itemKinds } from '@querypost/project'
import { Type } from 'typebox'
import { receivePush, requireRepository } from '../../domain/repositories/receive-push.ts'
import type { QueryServices } from '../../domain/services.ts'
import { repositoryLimits } from '../../model/git-repository.ts'
import { oneOf } from '../schemas.ts'
import type { Api } from '../typed.ts'

const Params = Type.Object({ id: Type.String() })

const Pushed = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        { action: oneOf(['create', 'change', 'rename', 'move', 'delete']), kind: oneOf(itemKinds), path: Type.String(), words: Type.String() },
        { title: 'PushedChange' },
      ),
    ),
  },
  { title: 'Pushed' },
)

/**
 * Pushes of Git repositories. The signature covers the bytes of the body, so they are not parsed before it is checked, and not read for
 * a repository that does not exist.
 */
export function gitPushRoutes(app: Api, services: QueryServices): void {
  app.register(async (git: Api) => {
    git.removeAllContentTypeParsers()
    git.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    git.post(
      '/git/:id/push',
      {
        schema: { hide: true, params: Params, response: { 200: Pushed } },
        bodyLimit: repositoryLimits.archiveBytes,
        onRequest: async (request) => {
          await requireRepository(services, request.params.id)
        },
      },
      async (request) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const origin = { address: request.ip, requestId: request.id }
        return { changes: await receivePush(services, request.params.id, { headers: request.headers, body, origin }) }
      },
    )
  })
}
