import { Type } from 'typebox'
import { getDatabase, listDatabases } from '../../domain/databases/databases.ts'
import { readKeptPage } from '../../domain/pagination/kept-list.ts'
import { storeQuery } from '../../domain/queries/queries.ts'
import type { QueryServices } from '../../domain/services.ts'
import { engineKinds } from '../../engines/registry/definitions.ts'
import type { AnalyticalDatabase } from '../../model/database.ts'
import { callerOf } from '../authenticate.ts'
import { presentQuery } from '../present.ts'
import { responses } from '../responses.ts'
import { closed, described, NullableInteger, oneOf, PageQuery, pageOf, Query, Timestamp } from '../schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Databases']
const Params = Type.Object({ id: Type.String({ description: 'The database’s id.', examples: ['db_4k2n'] }) })

const AnalyticalDatabaseConfig = Type.Object(
  {
    id: Type.String({ description: 'The `analyticalDatabaseConfigId` of its queries.', examples: ['db_4k2n'] }),
    name: Type.String({ examples: ['Warehouse'] }),
    engine: oneOf(engineKinds),
    tableCount: described(NullableInteger, 'Number of tables and views when the schema was last read; null until then.'),
    createdBy: Type.String({ examples: ['user_2n4k8mq7'] }),
    createdAt: Timestamp,
  },
  { title: 'AnalyticalDatabaseConfig', description: 'A database that queries run against, without its connection settings.' },
)

/** Databases for programs, and the SQL that runs in them. Not part of the retired API. */
export function publishedDatabaseRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/databases',
    {
      config: { scope: 'read:databases' },
      schema: {
        operationId: 'databases.list',
        tags,
        summary: 'List databases, newest first',
        description: 'Lists the organization’s databases, page by page. All pages show the list and every field as of the first page.',
        querystring: PageQuery,
        response: responses(200, pageOf('DatabasePage', AnalyticalDatabaseConfig), ['cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) =>
      readKeptPage(services, callerOf(request), {
        list: 'databases',
        request: request.query,
        readItems: async (count) => {
          const databases = await listDatabases(services, callerOf(request))
          return databases.toSorted(newestFirst).slice(0, count).map(present)
        },
      }),
  )

  api.get(
    '/api/databases/:id',
    {
      config: { scope: 'read:databases' },
      schema: {
        operationId: 'databases.get',
        tags,
        summary: 'Retrieve a database',
        description: 'Returns the name and the engine of a database. Connection settings and passwords are never returned.',
        params: Params,
        response: responses(200, AnalyticalDatabaseConfig, ['database_not_found']),
      },
    },
    async (request) => present(await getDatabase(services, callerOf(request), request.params.id)),
  )

  api.post(
    '/api/databases/:id/queries',
    {
      config: { scope: 'write:queries' },
      schema: {
        operationId: 'databases.createQuery',
        tags,
        summary: 'Store a query',
        description:
          'Stores SQL to run against the database. Its SQL never changes. A query that no reference points to expires some time after its last run.',
        params: Params,
        body: Type.Object({ sql: Type.String({ description: 'One statement that reads.', examples: ['select 1'] }) }, closed),
        response: responses(201, Query, ['database_not_found', 'ref_invalid', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const input = { sql: request.body.sql, analyticalDatabaseConfigId: request.params.id }
      const query = await storeQuery(services, callerOf(request), input)
      return reply.code(201).send({ ...presentQuery(query), latestRun: null, latestRunMetadata: null })
    },
  )
}

const newestFirst = (a: AnalyticalDatabase, b: AnalyticalDatabase) =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)

const present = ({ id, name, engine, tableCount, createdBy, createdAt }: AnalyticalDatabase) => ({
  id,
  name,
  engine: engine as (typeof engineKinds)[number],
  tableCount,
  createdBy,
  createdAt: createdAt.toISOString(),
})
