import { Type } from 'typebox'
import { listQueries, getStoredQuery } from '../../domain/queries/queries.ts'
import { downloadFormats } from '../../domain/results/downloads.ts'
import { getCachedResult } from '../../domain/results/results.ts'
import { withContext } from '../../domain/runs/read-runs.ts'
import { refreshQuery } from '../../domain/runs/start-run.ts'
import type { QueryServices } from '../../domain/services.ts'
import { answers } from '../answers.ts'
import { callerOf } from '../authenticate.ts'
import { optionalBody } from '../body-parsers.ts'
import { presentLatestRun, presentQuery, presentQueryInFull, presentRun } from '../present.ts'
import { closed, described, ListedQuery, NotModified, oneOf, PageQuery, pageOf, Query, QueryResult, Run, Uuid } from '../schemas.ts'
import { contentTypes, readFormat, sendDownload } from '../send-download.ts'
import { sendResult } from '../send-result.ts'
import type { Api } from '../typed.ts'

/** They work as long as the operator keeps them on. */
const retirable = { tags: ['Queries'], deprecated: true }
const Params = Type.Object({ queryId: described(Uuid, 'The query’s id.') })

const ResultQuery = Type.Object(
  {
    format: Type.Optional(
      Type.Unsafe<(typeof downloadFormats)[number]>({
        ...oneOf(downloadFormats),
        description: 'How the result is written; JSON without it. The others are files, with a name in `Content-Disposition`.',
        examples: ['csv'],
      }),
    ),
    raw: Type.Optional(
      Type.Unsafe<'1'>({
        ...oneOf(['1']),
        description:
          'Only with `format=csv`, rejected with any other format: writes texts as they are. Without it, a text that a spreadsheet would execute as a formula starts with an apostrophe.',
        examples: ['1'],
      }),
    ),
  },
  closed,
)

/** What each format is sent as. */
const ResultContent = {
  description: 'The cached result, in the format that was asked for.',
  content: {
    'application/json': { schema: QueryResult },
    ...Object.fromEntries(
      Object.values(contentTypes).map((type) => {
        const isText = /^text|jsonl/.test(type)
        return [type.split(';')[0]!, { schema: Type.String(isText ? {} : { format: 'binary' }) }]
      }),
    ),
  },
}

/** Interface 4: the four routes of queries. */
export function queryRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/queries',
    {
      schema: {
        ...retirable,
        operationId: 'queries.list',
        summary: 'List queries, newest first',
        description:
          'Pages of the organization’s queries. All pages of a sequence show the list as it was at the first page, in every field.',
        querystring: PageQuery,
        response: answers(200, pageOf('QueryPage', ListedQuery), ['cursor_invalid', 'cursor_expired', 'route_retired']),
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
      schema: {
        ...retirable,
        operationId: 'queries.get',
        summary: 'Retrieve a query',
        description: 'The query with its latest run, and that run’s figures.',
        params: Params,
        response: answers(200, Query, ['query_not_found', 'route_retired']),
      },
    },
    async (request) => presentQueryInFull(await getStoredQuery(services, callerOf(request), request.params.queryId)),
  )

  api.get(
    '/api/queries/:queryId/result',
    {
      schema: {
        ...retirable,
        operationId: 'queries.result',
        summary: 'Read the cached result of the latest successful run',
        description:
          'A result lives 24 hours from the end of its run (the operator may have chosen another time). It carries an `ETag` of its content; send that back as `If-None-Match` and get 304 while nothing has changed. Ask for gzip, which is how it is stored.\n\n`format` gives it as CSV, JSON lines, Parquet or an Arrow stream instead, made while it is sent: however large it is, nothing is held in memory. These carry no `ETag`.',
        params: Params,
        querystring: ResultQuery,
        headers: Type.Object({
          'if-none-match': Type.Optional(
            Type.String({ description: 'The `ETag` of the copy you have.', examples: ['"9b2c81d4"'] }),
          ),
        }),
        response: {
          ...answers(200, QueryResult, ['query_not_found', 'result_not_available', 'result_expired', 'route_retired']),
          200: ResultContent,
          304: NotModified,
        },
      },
    },
    async (request, reply) => {
      const { format, isRaw } = readFormat(request.query)
      const result = await getCachedResult(services, callerOf(request), request.params.queryId)
      if (format === 'json') return sendResult(request, reply, result)
      const run = await withContext(services, callerOf(request), result.run)
      return sendDownload(request, reply, { services, run, result, format, isRaw })
    },
  )

  api.post(
    '/api/queries/:queryId/refresh',
    {
      ...optionalBody,
      schema: {
        ...retirable,
        operationId: 'queries.refresh',
        summary: 'Run a query again with the parameters of its last run',
        description:
          'Answers at once with the pending run. The first run of a query uses the defaults of its oldest reference that has parameters. Retrieve the query until its `latestRun` has ended, then read the result.',
        params: Params,
        body: Type.Object({}, { description: 'Nothing, or an empty object.', ...closed }),
        response: answers(202, Run, [
          'query_not_found',
          'database_not_found',
          'route_retired',
          'query_already_running',
          'body_too_large',
          'parameter_missing',
          'parameter_invalid',
        ]),
      },
    },
    async (request, reply) => {
      const run = await refreshQuery(services, callerOf(request), request.params.queryId)
      return reply.code(202).send(presentRun(run))
    },
  )
}
