import { Type } from 'typebox'
import { estimateQuery } from '../../../domain/cost-limits/estimate-query.ts'
import { listQueries, storeQuery, getStoredQuery } from '../../../domain/queries/queries.ts'
import { getCachedResult } from '../../../domain/results/results.ts'
import { listReferencesTo } from '../../../domain/references/references.ts'
import { listRuns, withContext } from '../../../domain/runs/read-runs.ts'
import { runQuery } from '../../../domain/runs/start-run.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { presentLatestRun, presentListedRun, presentQuery, presentQueryInFull, presentRunInFull } from '../../present.ts'
import { binaryResponse } from '../../page-responses.ts'
import { closed, ListedQuery, listPage, NotModified, PageQuery, pageOf, Query, Uuid } from '../../schemas.ts'
import { GivenParameters, ParameterValues, QueryEstimate, QueryInFull, QueryRun, RunInFull } from '../../schemas/query-schemas.ts'
import { sendResult } from '../../send-result.ts'
import type { Api } from '../../typed.ts'
import { completeParameters } from '../../given-parameters.ts'

const Params = Type.Object({ queryId: Uuid })

/** Queries for the web app. These routes keep working when the published ones are retired. */
export function appQueryRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/app/api/queries',
    { schema: { querystring: PageQuery, response: { 200: pageOf('QueryPage', ListedQuery) } } },
    async (request) => {
      const page = await listQueries(services, callerOf(request), request.query)
      const items = page.items.map((query) => ({ ...presentQuery(query), latestRun: presentLatestRun(query.latestRun) }))
      return { ...page, items }
    },
  )

  api.post(
    '/app/api/queries',
    {
      schema: {
        body: Type.Object({ sql: Type.String(), analyticalDatabaseConfigId: Type.String() }, closed),
        response: { 201: Query },
      },
    },
    async (request, reply) => {
      const query = await storeQuery(services, callerOf(request), request.body)
      return reply.code(201).send({ ...presentQuery(query), latestRun: null, latestRunMetadata: null })
    },
  )

  api.get(
    '/app/api/queries/:queryId',
    { schema: { params: Params, response: { 200: QueryInFull } } },
    async (request) => {
      const query = await getStoredQuery(services, callerOf(request), request.params.queryId)
      return { ...presentQueryInFull(query), references: await listReferencesTo(services, callerOf(request), query.id) }
    },
  )

  api.get(
    '/app/api/queries/:queryId/result',
    { schema: { params: Params, response: { ...binaryResponse('application/json'), 304: NotModified } } },
    async (request, reply) =>
      sendResult(request, reply, await getCachedResult(services, callerOf(request), request.params.queryId)),
  )

  api.post(
    '/app/api/databases/:id/estimate',
    {
      schema: {
        params: Type.Object({ id: Type.String() }),
        body: Type.Object(
          { sql: Type.String(), parameterValues: Type.Optional(ParameterValues), parameters: Type.Optional(GivenParameters) },
          closed,
        ),
        response: { 200: QueryEstimate },
      },
    },
    async (request) => {
      const { sql, parameterValues = {}, parameters = [] } = request.body
      const definitions = completeParameters(parameters)
      return estimateQuery(services, callerOf(request), { configId: request.params.id, sql, definitions, parameterValues })
    },
  )

  api.get(
    '/app/api/queries/:queryId/runs',
    { schema: { params: Params, querystring: PageQuery, response: { 200: listPage(QueryRun) } } },
    async (request) => {
      const page = await listRuns(services, callerOf(request), { ...request.params, ...request.query })
      return { ...page, items: page.items.map(presentListedRun) }
    },
  )

  api.post(
    '/app/api/queries/:queryId/runs',
    {
      ...optionalBody,
      schema: {
        params: Params,
        // An unsaved query has no stored parameter definitions, so the request includes them.
        body: Type.Object(
          { parameterValues: Type.Optional(ParameterValues), parameters: Type.Optional(GivenParameters) },
          closed,
        ),
        response: { 202: RunInFull },
      },
    },
    async (request, reply) => {
      const { parameters, ...rest } = request.body
      const definitions = parameters && completeParameters(parameters)
      const run = await runQuery(services, callerOf(request), { ...request.params, ...rest, ...(definitions && { definitions }) })
      return reply.code(202).send(presentRunInFull(await withContext(services, callerOf(request), run)))
    },
  )
}
