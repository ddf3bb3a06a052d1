import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { getKeptResult, listKeptResults } from '../../domain/history/kept-results.ts'
import { sentKeptResult } from '../../domain/history/sent-kept-result.ts'
import { explainChange } from '../../domain/history/why/explain-change.ts'
import type { DownloadFormat } from '../../domain/results/downloads.ts'
import type { QueryServices } from '../../domain/services.ts'
import { callerOf } from '../authenticate.ts'
import { readQueryLists } from '../query-lists.ts'
import { presentExplainedChange, presentKeptResult } from '../present-history.ts'
import { responses } from '../responses.ts'
import { NotModified, PageQuery, pageOf, QueryResult } from '../schemas.ts'
import { CompareQuery, ComparisonContent, ExplainedChange, KeptResult, ResultComparison, WhyQuery } from '../schemas/history-schemas.ts'
import { ResultContent, ResultQuery } from '../schemas/result-schemas.ts'
import { sendComparison } from '../send-comparison.ts'
import { readFormat, sendDownload } from '../send-download.ts'
import { sendResult } from '../send-result.ts'
import type { Api } from '../typed.ts'
import { untilDisconnect } from '../until-disconnect.ts'

const tags = ['Result history']
const shortId = Type.String({ description: 'The reference’s `shortId`, as in its permalink.', examples: ['h5w8r3tzqa'] })
const runId = Type.String({ description: 'The run whose result it is.', examples: ['run_2v7c'] })

/** Results over time, for programs. Not part of the retired API. */
export function historyRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/references/:shortId/results',
    {
      config: { scope: 'read:queries' },
      schema: {
        operationId: 'results.list',
        tags,
        summary: 'List the kept results of a reference, newest first',
        description:
          'The result of every completed run of a saved query is kept for 90 days by default, also after the cached result has expired. A result appears here a few seconds after its run has completed. All pages show the list as of the first page.',
        params: Type.Object({ shortId }),
        querystring: PageQuery,
        response: responses(200, pageOf('KeptResultPage', KeptResult), ['reference_not_found', 'cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) => {
      const page = await listKeptResults(services, callerOf(request), { ...request.params, ...request.query })
      return { ...page, items: page.items.map(presentKeptResult) }
    },
  )

  api.get(
    '/api/references/:shortId/results/:runId',
    {
      config: { scope: 'read:queries' },
      schema: {
        operationId: 'results.get',
        tags,
        summary: 'Read a kept result',
        description:
          'Returns the result exactly as the run produced it, in the same formats as the cached result. It has the same `ETag`; send that as `If-None-Match` to get 304.',
        params: Type.Object({ shortId, runId }),
        querystring: ResultQuery,
        headers: Type.Object({
          'if-none-match': Type.Optional(
            Type.String({ description: 'The `ETag` of the copy you have.', examples: ['"9b2c81d4"'] }),
          ),
        }),
        response: {
          ...responses(200, QueryResult, ['reference_not_found', 'result_not_kept', 'result_damaged']),
          200: ResultContent,
          304: NotModified,
        },
      },
    },
    (request, reply) => sendKeptResult(services, request, reply, { ...request.params, ...request.query }),
  )

  api.get(
    '/api/references/:shortId/compare',
    {
      config: { scope: 'read:queries' },
      preValidation: readQueryLists('keyColumns'),
      schema: {
        operationId: 'results.compare',
        tags,
        summary: 'Compare two kept results of a reference',
        description:
          'Rows are identified by a key: the columns you choose or, by default, the smallest set of columns that is unique in both results. `keyChoice` says which; without such a set, whole rows are compared. Works for results of any size. `format=jsonl` returns only the rows, one per line, and the key in the headers `Querypost-Key-Columns` (a JSON list) and `Querypost-Key-Choice`.',
        params: Type.Object({ shortId }),
        querystring: CompareQuery,
        response: {
          ...responses(200, ResultComparison, ['reference_not_found', 'result_not_kept', 'result_damaged']),
          200: ComparisonContent,
        },
      },
    },
    (request, reply) => sendComparison(services, request, reply, { ...request.params, ...request.query }),
  )

  api.get(
    '/api/references/:shortId/why',
    {
      config: { scope: 'read:queries' },
      preValidation: readQueryLists('keyColumns'),
      schema: {
        operationId: 'results.why',
        tags,
        summary: 'Explain why two kept results of a reference differ',
        description:
          'Splits the difference of each measure into what the SQL, the parameters and the data contribute, and each part by key and by dimension: columns with texts, dates or booleans. All parts add up to the difference exactly. Nothing is estimated: a part whose causes cannot be separated with the results that are kept names all of them.',
        params: Type.Object({ shortId }),
        querystring: WhyQuery,
        response: responses(200, ExplainedChange, ['reference_not_found', 'result_not_kept', 'result_damaged', 'measure_invalid']),
      },
    },
    (request, reply) => sendWhy(services, request, reply, { ...request.params, ...request.query }),
  )
}

/** Explains a change. Stops when the client disconnects. */
export async function sendWhy(
  services: QueryServices,
  request: FastifyRequest,
  reply: FastifyReply,
  input: { shortId: string; from: string; to: string; measure?: string; denominator?: string; keyColumns?: string[] },
) {
  const explained = await untilDisconnect(reply, (signal) => explainChange(services, callerOf(request), { ...input, signal }))
  return explained ? presentExplainedChange(explained) : reply
}

/** Sends a kept result like a cached one. */
export async function sendKeptResult(
  services: QueryServices,
  request: FastifyRequest,
  reply: FastifyReply,
  input: { shortId: string; runId: string; format?: DownloadFormat; raw?: '1' },
) {
  const { format, isRaw } = readFormat(input)
  const { reference, result } = await getKeptResult(services, callerOf(request), input)
  const sent = sentKeptResult(services, result)
  if (format === 'json') return sendResult(request, reply, sent)
  const run = { ...sent.run, references: [{ title: reference.title }] }
  return sendDownload(request, reply, { services, run, result: sent, format, isRaw })
}
