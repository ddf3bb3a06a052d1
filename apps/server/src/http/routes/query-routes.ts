import { Type } from 'typebox'
import { listQueries, getStoredQuery } from '../../domain/queries/queries.ts'
import { cachedResultOfQuery } from '../../domain/results/results.ts'
import { withContext } from '../../domain/runs/read-runs.ts'
import { refreshQuery } from '../../domain/runs/start-run.ts'
import type { QueryServices } from '../../domain/services.ts'
import { responses } from '../responses.ts'
import { callerOf } from '../authenticate.ts'
import { optionalBody } from '../body-parsers.ts'
import { lookupsOf, queryAhead } from '../look-ahead.ts'
import { presentLatestRun, presentQuery, presentQueryInFull, presentRun } from '../present.ts'
import { closed, described, ListedQuery, NotModified, PageQuery, pageOf, Query, QueryResult, Run, Uuid } from '../schemas.ts'
import { ResultContent, ResultQuery } from '../schemas/result-schemas.ts'
import { readFormat, sendDownload } from '../send-download.ts'
import { sendResult } from '../send-result.ts'
import type { Api } from '../typed.ts'

/** Deprecated: these routes work until the operator retires them. */
const deprecatedRoute = { tags: ['Queries'], deprecated: true }
const Params = Type.Object({ queryId: described(Uuid, 'The query’s id.') })

/** The four published query routes. */
export function queryRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/queries',
    {
      config: { scope: 'read:queries' },
      schema: {
        ...deprecatedRoute,
        operationId: 'queries.list',
        summary: 'List queries, newest first',
        description:
          'Lists the organization’s queries, page by page. All pages show the list and every field as of the first page.',
        querystring: PageQuery,
        response: responses(200, pageOf('QueryPage', ListedQuery), ['cursor_invalid', 'cursor_expired', 'route_retired']),
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
      config: { scope: 'read:queries', lookAhead: queryAhead(services) },
      schema: {
        ...deprecatedRoute,
        operationId: 'queries.get',
        summary: 'Retrieve a query',
        description: 'Returns the query with its latest run and the statistics of that run.',
        params: Params,
        response: responses(200, Query, ['query_not_found', 'route_retired']),
      },
    },
    async (request) =>
      presentQueryInFull(await getStoredQuery(lookupsOf(services, request), callerOf(request), request.params.queryId)),
  )

  api.get(
    '/api/queries/:queryId/result',
    {
      config: { scope: 'read:queries', lookAhead: queryAhead(services) },
      schema: {
        ...deprecatedRoute,
        operationId: 'queries.result',
        summary: 'Read the cached result of the latest successful run',
        description:
          'A result is available for 24 hours after its run ends, unless the operator has configured another lifetime. It has an `ETag` of its content; send that as `If-None-Match` to get 304 while nothing has changed. Request `zstd, gzip`: results are stored compressed, up to 4 MiB of JSON with gzip and larger ones with zstd, and are sent as they are stored if you accept that.\n\nUse `format` to get CSV, JSON lines, Parquet or an Arrow stream instead. These are generated while they are sent, in bounded memory, and have no `ETag`.',
        params: Params,
        querystring: ResultQuery,
        headers: Type.Object({
          'if-none-match': Type.Optional(
            Type.String({ description: 'The `ETag` of the copy you have.', examples: ['"9b2c81d4"'] }),
          ),
        }),
        response: {
          ...responses(200, QueryResult, ['query_not_found', 'result_not_available', 'result_expired', 'route_retired']),
          200: ResultContent,
          304: NotModified,
        },
      },
    },
    async (request, reply) => {
      const { format, isRaw } = readFormat(request.query)
      const query = await getStoredQuery(lookupsOf(services, request), callerOf(request), request.params.queryId)
      const result = cachedResultOfQuery(services, query)
      if (format === 'json') return sendResult(request, reply, result)
      const run = await withContext(services, callerOf(request), result.run)
      return sendDownload(request, reply, { services, run, result, format, isRaw })
    },
  )

  api.post(
    '/api/queries/:queryId/refresh',
    {
      ...optionalBody,
      config: { scope: 'run:queries', lookAhead: queryAhead(services), ...optionalBody.config },
      schema: {
        ...deprecatedRoute,
        operationId: 'queries.refresh',
        summary: 'Run a query again with the parameters of its last run',
        description:
          'Returns the pending run immediately. The first run of a query uses the defaults of its oldest reference that has parameters. Poll the query until its `latestRun` has ended, then read the result.',
        params: Params,
        body: Type.Object({}, { description: 'No body, or an empty object.', ...closed }),
        response: responses(202, Run, [
          'query_not_found',
          'database_not_found',
          'database_unreachable',
          'route_retired',
          'query_already_running',
          'body_too_large',
          'parameter_missing',
          'parameter_invalid',
          'cost_limit_exceeded',
          'attribute_missing',
        ]),
      },
    },
    async (request, reply) => {
      const deps = { ...services, ...lookupsOf(services, request) }
      const run = await refreshQuery(deps, callerOf(request), request.params.queryId)
      return reply.code(202).send(presentRun(run))
    },
  )
}
