import { Type } from 'typebox'
import { listQueries, wantQuery } from '../../domain/queries/queries.ts'
import { getCachedResult } from '../../domain/results/results.ts'
import { refreshQuery } from '../../domain/runs/start-run.ts'
import type { Services } from '../../services.ts'
import { callerOf } from '../authenticate.ts'
import { optionalBody } from '../body-parsers.ts'
import { presentLatestRun, presentQuery, presentQueryInFull, presentRun } from '../present.ts'
import { answers, closed, ListedQuery, NotModified, PageQuery, pageOf, Query, QueryResult, Run, Uuid } from '../schemas.ts'
import { sendResult } from '../send-result.ts'
import type { Api } from '../typed.ts'

const tags = ['Queries']
const Params = Type.Object({ queryId: Uuid })

/** Interface 4: the four routes of queries. */
export function queryRoutes(api: Api, services: Services): void {
  api.get(
    '/api/queries',
    {
      schema: {
        tags,
        summary: 'List queries, newest first',
        querystring: PageQuery,
        response: answers(200, pageOf(ListedQuery), [404]),
      },
    },
    async (request) => {
      const page = await listQueries(services, callerOf(request), request.query)
      const items = page.items.map((query) => ({
        ...presentQuery(query),
        latestRun: presentLatestRun(query.latestRun),
      }))
      return { ...page, items }
    },
  )

  api.get(
    '/api/queries/:queryId',
    {
      schema: { tags, summary: 'Retrieve a query', params: Params, response: answers(200, Query, [404]) },
    },
    async (request) => presentQueryInFull(await wantQuery(services, callerOf(request), request.params.queryId)),
  )

  api.get(
    '/api/queries/:queryId/result',
    {
      schema: {
        tags,
        summary: 'The cached result of the latest successful run',
        params: Params,
        response: { ...answers(200, QueryResult, [404]), 304: NotModified },
      },
    },
    async (request, reply) => {
      const result = await getCachedResult(services, callerOf(request), request.params.queryId)
      return sendResult(request, reply, result)
    },
  )

  api.post(
    '/api/queries/:queryId/refresh',
    {
      ...optionalBody,
      schema: {
        tags,
        summary: 'Run a query again with the parameters of its last run',
        params: Params,
        body: Type.Object({}, closed),
        response: answers(202, Run, [404, 409, 413, 422]),
      },
    },
    async (request, reply) => {
      const run = await refreshQuery(services, callerOf(request), request.params.queryId)
      return reply.code(202).send(presentRun(run))
    },
  )
}
