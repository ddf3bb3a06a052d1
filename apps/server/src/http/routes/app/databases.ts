import { Type } from 'typebox'
import { addDatabase, uploadDatabase } from '../../../domain/databases/add-database.ts'
import type { AnalyticalDatabase } from '../../../domain/databases/database.ts'
import { describeDatabase, getDatabase, listDatabases, renameDatabase } from '../../../domain/databases/databases.ts'
import { deleteDatabase } from '../../../domain/databases/delete-database.ts'
import { importTable } from '../../../domain/databases/import-table.ts'
import { previewTable } from '../../../domain/databases/preview-table.ts'
import { testDatabase } from '../../../domain/databases/try-database.ts'
import type { Services } from '../../../services.ts'
import { callerOf } from '../../authenticate.ts'
import { closed, oneOf } from '../../schemas.ts'
import type { Api } from '../../typed.ts'
import { takeFiles, uploadOf, whileListening } from '../../uploads.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Params = Type.Object({ id: Type.String() })

/** Analytical database configurations: members see them and what they hold, admins change them. */
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
            settings: Type.Optional(Type.Object({ file: Type.String() }, closed)),
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

  api.get('/app/api/databases/:id', { schema: { params: Params } }, async (request) =>
    present(await getDatabase(services, callerOf(request), request.params.id)),
  )

  api.patch(
    '/app/api/databases/:id',
    { schema: { params: Params, body: Type.Object({ name: Name }, closed) } },
    async (request) => {
      const input = { configId: request.params.id, name: request.body.name }
      return present(await renameDatabase(services, callerOf(request), input))
    },
  )

  api.delete('/app/api/databases/:id', { schema: { params: Params } }, async (request, reply) => {
    await deleteDatabase(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.post('/app/api/databases/:id/test', { schema: { params: Params } }, async (request) =>
    testDatabase(services, callerOf(request), request.params.id),
  )

  tableRoutes(api, services)
  api.register(async (uploads: Api) => uploadRoutes(uploads, services))
}

function tableRoutes(api: Api, services: Services): void {
  api.get('/app/api/databases/:id/tables', { schema: { params: Params } }, async (request) => ({
    items: await describeDatabase(services, callerOf(request), request.params.id),
  }))

  api.get(
    '/app/api/databases/:id/tables/:schema/:table/preview',
    { schema: { params: Type.Object({ id: Type.String(), schema: Type.String(), table: Type.String() }) } },
    async (request) => {
      const { id: configId, schema, table } = request.params
      return previewTable(services, callerOf(request), { configId, schema, table })
    },
  )
}

function uploadRoutes(api: Api, services: Services): void {
  takeFiles(api)
  const { uploadMaxBytes } = services.importLimits

  api.post(
    '/app/api/databases/upload',
    { schema: { querystring: Type.Object({ name: Name }, closed) } },
    async (request, reply) => {
      const { name } = request.query
      const bytes = uploadOf(request, uploadMaxBytes)
      return reply.code(201).send(present(await uploadDatabase(services, callerOf(request), { name, bytes })))
    },
  )

  api.post(
    '/app/api/databases/:id/tables',
    {
      schema: {
        params: Params,
        querystring: Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 200 }),
            format: oneOf(['csv', 'parquet']),
            ifExists: Type.Optional(oneOf(['refuse', 'replace'])),
          },
          closed,
        ),
      },
    },
    async (request, reply) => {
      const { name: table, format, ifExists = 'refuse' } = request.query
      const imported = await importTable(services, callerOf(request), {
        configId: request.params.id,
        table,
        format,
        ifExists,
        bytes: uploadOf(request, uploadMaxBytes),
        signal: whileListening(reply),
      })
      return reply.code(201).send(imported)
    },
  )
}

const present = <Shown extends AnalyticalDatabase>({ organizationId: _, ...database }: Shown) => ({
  ...database,
  createdAt: database.createdAt.toISOString(),
})
