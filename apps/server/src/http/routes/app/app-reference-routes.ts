import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  createReference,
  editReference,
  getReference,
  reserveReference,
  restoreReference,
} from '../../../domain/references/references.ts'
import { deleteUnlessUsed } from '../../../domain/lineage/delete-unless-used.ts'
import { readOptions } from '../../../domain/options/read-options.ts'
import { findBestReferences, searchReferences } from '../../../domain/references/search-references.ts'
import { withContext } from '../../../domain/runs/read-runs.ts'
import { runReference } from '../../../domain/runs/start-run.ts'
import type { QueryServices } from '../../../domain/services.ts'
import type { ReferenceInFull as StoredReference } from '../../../model/reference.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { presentDeletedReference, presentFoundReference, presentRunInFull } from '../../present.ts'
import { noBody } from '../../page-responses.ts'
import { closed, DeletedReference, listPage, oneOf, PageQuery } from '../../schemas.ts'
import {
  FoundReference,
  MarkedReference,
  NewReference,
  OptionsOfReference,
  ParameterValues,
  ReferenceChange,
  RunInFull,
} from '../../schemas/query-schemas.ts'
import { Deletion } from '../../schemas/item-schemas.ts'
import type { Api } from '../../typed.ts'
import { readGivenValues } from '../../given-parameters.ts'
import { completeReference } from '../../given-reference.ts'
import { presentMarkedReference } from './marked-reference.ts'

const Params = Type.Object({ shortId: Type.String() })

const filters = {
  database: Type.Optional(Type.String()),
  createdBy: Type.Optional(oneOf(['me'])),
  folder: Type.Optional(Type.String({ description: 'The id of a folder, or `none` for references in no folder.' })),
  tag: Type.Optional(Type.String({ maxLength: 200 })),
  favoriteOf: Type.Optional(oneOf(['me'])),
}

const SearchQuery = Type.Object(
  {
    ...PageQuery.properties,
    search: Type.Optional(Type.String({ maxLength: 200 })),
    ...filters,
  },
  closed,
)

const OptionsQuery = Type.Object(
  {
    valueColumn: Type.String({ minLength: 1, maxLength: 200 }),
    labelColumn: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    search: Type.Optional(Type.String({ maxLength: 200 })),
    values: Type.Optional(
      Type.String({ maxLength: 10_000, description: 'The values of the parameters that the options depend on, by name, as a JSON object.' }),
    ),
  },
  closed,
)

const bestUsual = 30

const BestQuery = Type.Object(
  {
    search: Type.String({ minLength: 1, maxLength: 200 }),
    ...filters,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  closed,
)

const BestReferences = Type.Object(
  {
    items: Type.Array(FoundReference),
    isComplete: Type.Boolean({ description: 'Whether these are all that match. If not, the list has more.' }),
  },
  { title: 'BestReferences', description: 'The references that match a search best, best first.' },
)

/** Query references for the web app, which can also change the SQL, the chart and the parameters. */
export function appReferenceRoutes(api: Api, services: QueryServices): void {
  const present = (request: FastifyRequest, reference: StoredReference) => presentMarkedReference(services, request, reference)

  api.get(
    '/app/api/references',
    { schema: { querystring: SearchQuery, response: { 200: listPage(FoundReference) } } },
    async (request) => {
      const page = await searchReferences(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(presentFoundReference) }
    },
  )

  api.get(
    '/app/api/references/best',
    { schema: { querystring: BestQuery, response: { 200: BestReferences } } },
    async (request) => {
      const { limit = bestUsual, ...search } = request.query
      const best = await findBestReferences(services, callerOf(request), { ...search, limit })
      return { ...best, items: best.items.map(presentFoundReference) }
    },
  )

  api.post(
    '/app/api/references',
    { schema: { body: NewReference, response: { 201: MarkedReference } } },
    async (request, reply) => {
      const { queryId, ...given } = completeReference(request.body)
      const reference =
        queryId === undefined
          ? await reserveReference(services, callerOf(request), given)
          : await createReference(services, callerOf(request), { queryId, ...given })
      return reply.code(201).send(await present(request, reference))
    },
  )

  api.get(
    '/app/api/references/:shortId',
    { schema: { params: Params, response: { 200: MarkedReference } } },
    async (request) => present(request, await getReference(services, callerOf(request), request.params.shortId)),
  )

  api.patch(
    '/app/api/references/:shortId',
    { schema: { params: Params, body: ReferenceChange, response: { 200: MarkedReference } } },
    async (request) => {
      const { shortId } = request.params
      return present(request, await editReference(services, callerOf(request), shortId, completeReference(request.body)))
    },
  )

  api.delete(
    '/app/api/references/:shortId',
    { schema: { params: Params, querystring: Deletion, response: { 200: DeletedReference } } },
    async (request) => {
      const deletion = { ...request.params, evenIfUsed: request.query.evenIfUsed === 'true' }
      return presentDeletedReference(await deleteUnlessUsed(services, callerOf(request), deletion))
    },
  )

  api.post(
    '/app/api/references/:shortId/restore',
    { ...noBody, schema: { params: Params, response: { 200: MarkedReference } } },
    async (request) => present(request, await restoreReference(services, callerOf(request), request.params.shortId)),
  )

  api.get(
    '/app/api/references/:shortId/options',
    { schema: { params: Params, querystring: OptionsQuery, response: { 200: OptionsOfReference } } },
    async (request) => {
      const { values, ...query } = request.query
      const found = await readOptions(services, callerOf(request), { ...request.params, ...query, values: readGivenValues(values) })
      return { ...found, completedAt: found.completedAt?.toISOString() ?? null }
    },
  )

  api.post(
    '/app/api/references/:shortId/runs',
    {
      ...optionalBody,
      schema: {
        params: Params,
        body: Type.Object({ parameterValues: Type.Optional(ParameterValues) }, closed),
        response: { 202: RunInFull },
      },
    },
    async (request, reply) => {
      const run = await runReference(services, callerOf(request), { ...request.params, ...request.body })
      return reply.code(202).send(presentRunInFull(await withContext(services, callerOf(request), run)))
    },
  )
}
