import { Type } from 'typebox'
import { addDatabase, uploadDatabase } from '../../../domain/databases/add-database.ts'
import {
  type EngineKind,
  engineKinds,
  fileEngines,
  type FileEngine as FileEngineKind,
  type ServerEngine as ServerEngineKind,
} from '../../../engines/registry/definitions.ts'
import type { AnalyticalDatabase } from '../../../model/database.ts'
import { isOnServer } from '../../../domain/databases/is-on-server.ts'
import { getDatabase, listDatabases } from '../../../domain/databases/databases.ts'
import { deleteDatabase } from '../../../domain/databases/delete-database.ts'
import {
  addServerDatabase,
  changeDatabase,
  tryChange,
  tryConnection,
} from '../../../domain/databases/server-databases.ts'
import { getUploadsDatabase } from '../../../domain/databases/uploads-database.ts'
import { testDatabase } from '../../../domain/databases/try-database.ts'
import { badInput } from '../../../domain/people/check-text.ts'
import { getSavedQueriesDatabase } from '../../../domain/saved-queries/saved-queries-database.ts'
import type { DatabaseServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { fileBody, noBody, noContent } from '../../page-responses.ts'
import { closed, NullableText, oneOf, wholeList } from '../../schemas.ts'
import {
  Database,
  DatabaseInFull,
  FileEngine,
  ServerEngine,
  TestOutcome,
  TriedConnection,
} from '../../schemas/database-schemas.ts'
import type { Api } from '../../typed.ts'
import { acceptFiles, uploadOf } from '../../uploads.ts'
import { tableRoutes } from './table-routes.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Params = Type.Object({ id: Type.String() })
/** The fields depend on the engine; the domain checks each of them. */
const Settings = Type.Unsafe<Record<string, unknown>>({ type: 'object' })
const Password = Type.Optional(NullableText)
/** Without an engine, the first one that has files. */
const Upload = Type.Object({ name: Name, engine: Type.Optional(FileEngine) }, closed)

/** Analytical database configurations: members can read them and their tables, admins can change them. Members may have one for uploads. */
export function databaseRoutes(api: Api, services: DatabaseServices): void {
  api.get('/app/api/databases', { schema: { response: { 200: wholeList(Database) } } }, async (request) => {
    const databases = await listDatabases(services, callerOf(request))
    return { items: databases.map(present) }
  })

  api.post(
    '/app/api/databases',
    {
      schema: {
        body: Type.Object(
          { name: Name, engine: oneOf(engineKinds), settings: Type.Optional(Settings), password: Password },
          closed,
        ),
        response: { 201: Database },
      },
    },
    async (request, reply) => {
      const { name, engine, settings, password } = request.body
      const caller = callerOf(request)
      if (!isFileEngine(engine)) {
        return reply.code(201).send(present(await addServerDatabase(services, caller, { name, engine, settings, password })))
      }
      if (password !== undefined) throw badInput('/password', 'is only for database servers; remove it')
      return reply.code(201).send(present(await addDatabase(services, caller, { name, engine, ...fileSettings(settings) })))
    },
  )

  api.post('/app/api/databases/saved-queries', { ...noBody, schema: { response: { 200: Database } } }, async (request) =>
    present(await getSavedQueriesDatabase(services, callerOf(request))),
  )

  api.post('/app/api/databases/uploads', { ...noBody, schema: { response: { 200: Database } } }, async (request) =>
    present(await getUploadsDatabase(services, callerOf(request))),
  )

  api.post(
    '/app/api/databases/test',
    {
      schema: {
        body: Type.Object({ engine: ServerEngine, settings: Settings, password: Password }, closed),
        response: { 200: TriedConnection },
      },
    },
    async (request) => tryConnection(services, callerOf(request), request.body),
  )

  api.get(
    '/app/api/databases/:id',
    { schema: { params: Params, response: { 200: DatabaseInFull } } },
    async (request) => {
      const { savedQueryCount, ...database } = await getDatabase(services, callerOf(request), request.params.id)
      return { ...present(database), savedQueryCount }
    },
  )

  api.patch(
    '/app/api/databases/:id',
    {
      schema: {
        params: Params,
        body: Type.Object(
          { name: Type.Optional(Name), settings: Type.Optional(Settings), password: Password },
          { ...closed, minProperties: 1 },
        ),
        response: { 200: Database },
      },
    },
    async (request) => {
      const change = { configId: request.params.id, ...request.body }
      return present(await changeDatabase(services, callerOf(request), change))
    },
  )

  api.delete('/app/api/databases/:id', { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await deleteDatabase(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.post(
    '/app/api/databases/:id/test',
    {
      ...optionalBody,
      schema: {
        params: Params,
        body: Type.Object({ settings: Type.Optional(Settings), password: Password }, closed),
        response: { 200: Type.Union([TriedConnection, TestOutcome]) },
      },
    },
    async (request) => {
      const { id: configId } = request.params
      const isStored = Object.keys(request.body).length === 0
      if (isStored) return testDatabase(services, callerOf(request), configId)
      return tryChange(services, callerOf(request), { configId, ...request.body })
    },
  )

  tableRoutes(api, services)
  api.register(async (uploads: Api) => uploadRoutes(uploads, services))
}

function uploadRoutes(api: Api, services: DatabaseServices): void {
  acceptFiles(api)
  const { uploadMaxBytes } = services.importLimits

  api.post(
    '/app/api/databases/upload',
    { ...fileBody, schema: { querystring: Upload, response: { 201: Database } } },
    async (request, reply) => {
      const { name, engine = fileEngines[0]! } = request.query
      const bytes = uploadOf(request, uploadMaxBytes)
      return reply.code(201).send(present(await uploadDatabase(services, callerOf(request), { name, engine, bytes })))
    },
  )
}

/** Without a file, the database starts empty. */
function fileSettings(settings: Record<string, unknown> | undefined): { file?: string } {
  if (settings === undefined) return {}
  const { file, ...rest } = settings
  const [stray] = Object.keys(rest)
  if (stray !== undefined) throw badInput(`/settings/${stray}`, 'is not a known field; remove it')
  if (typeof file !== 'string') throw badInput('/settings/file', file === undefined ? 'is required' : 'must be text')
  return { file }
}

const isFileEngine = (engine: EngineKind): engine is FileEngineKind => fileEngines.some((each) => each === engine)

/** Lists each field, so that nothing is exposed by accident, least of all a password, encrypted or not. */
function present(database: AnalyticalDatabase) {
  const { id, name, createdBy, createdAt, tableCount, lastTest } = database
  const common = { id, name, createdBy, createdAt: createdAt.toISOString(), tableCount, lastTest }
  if (!isOnServer(database)) return { ...common, engine: database.engine as FileEngineKind, settings: database.settings }
  const { settings, sealedPassword } = database
  return { ...common, engine: database.engine as ServerEngineKind, settings, hasPassword: sealedPassword !== null }
}
