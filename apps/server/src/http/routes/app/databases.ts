import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { AnalyticalDatabase } from '../../../domain/databases/database.ts'
import {
  addDatabase,
  describeDatabase,
  listDatabases,
  testDatabase,
  uploadDatabase,
} from '../../../domain/databases/databases.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { Services } from '../../../services.ts'
import { callerOf } from '../../authenticate.ts'
import { closed, oneOf } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Params = Type.Object({ id: Type.String() })
const uploadMaxBytes = 4 * 1024 ** 3

/** Analytical database configurations: members see them, admins add and test them. */
export function databaseRoutes(api: Api, services: Services): void {
  api.get('/app/api/databases', async (request) => {
    const databases = await listDatabases(services, callerOf(request))
    return { items: databases.map(present) }
  })

  api.post(
    '/app/api/databases',
    {
      schema: {
        body: Type.Object(
          {
            name: Name,
            engine: oneOf(['duckdb']),
            settings: Type.Object({ file: Type.String() }, closed),
          },
          closed,
        ),
      },
    },
    async (request, reply) => {
      const { name, settings } = request.body
      return reply.code(201).send(present(await addDatabase(services, callerOf(request), { name, ...settings })))
    },
  )

  api.register(async (uploads: Api) => {
    // The file is a stream from the socket to the disk; it is never held in memory.
    uploads.removeAllContentTypeParsers()
    uploads.addContentTypeParser('*', { bodyLimit: uploadMaxBytes }, (_request, payload, done) => done(null, payload))
    uploads.post(
      '/app/api/databases/upload',
      { bodyLimit: uploadMaxBytes, schema: { querystring: Type.Object({ name: Name }, closed) } },
      async (request, reply) => {
        if (!(request.body instanceof Readable)) {
          throw new Refusal('invalid_request', 'Send the DuckDB file as the body, with Content-Type: application/octet-stream.')
        }
        const database = await uploadDatabase(services, callerOf(request), {
          name: request.query.name,
          bytes: request.body,
        })
        return reply.code(201).send(present(database))
      },
    )
  })

  api.post('/app/api/databases/:id/test', { schema: { params: Params } }, async (request) =>
    testDatabase(services, callerOf(request), request.params.id),
  )

  api.get('/app/api/databases/:id/tables', { schema: { params: Params } }, async (request) => ({
    items: await describeDatabase(services, callerOf(request), request.params.id),
  }))
}

const present = ({ organizationId: _, ...database }: AnalyticalDatabase) => ({
  ...database,
  createdAt: database.createdAt.toISOString(),
})
