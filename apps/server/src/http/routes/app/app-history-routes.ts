import { Type } from 'typebox'
import { getPastBoard } from '../../../domain/boards/past-board.ts'
import {
  changeHistorySettings,
  changeReferenceHistorySettings,
  getHistorySettings,
  getReferenceHistorySettings,
  listHistoryUses,
} from '../../../domain/history/history-settings.ts'
import { startFill, stopFill } from '../../../domain/history-fills/fills.ts'
import { listKeptResults, pinResult, unpinResult } from '../../../domain/history/kept-results.ts'
import { getPastReference } from '../../../domain/history/past-results.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noBody, noContent } from '../../page-responses.ts'
import { readQueryLists } from '../../query-lists.ts'
import { presentFill, presentKeptResult, presentPastReference } from '../../present-history.ts'
import { listPage, PageQuery } from '../../schemas.ts'
import {
  CompareQuery,
  ComparisonContent,
  ExplainedChange,
  HistoryFill,
  HistoryLimitsChange,
  HistorySettings,
  HistoryUse,
  KeptResult,
  NewHistoryFill,
  PastBoard,
  PastQuery,
  PastReference,
  ReferenceHistoryChange,
  ReferenceHistorySettings,
  WhyQuery,
} from '../../schemas/history-schemas.ts'
import { ResultContent, ResultQuery } from '../../schemas/result-schemas.ts'
import { sendComparison } from '../../send-comparison.ts'
import type { Api } from '../../typed.ts'
import { sendKeptResult, sendWhy } from '../history-routes.ts'

const Params = Type.Object({ shortId: Type.String() })
const ResultParams = Type.Object({ shortId: Type.String(), runId: Type.String() })

/** Results over time, for the pages. */
export function appHistoryRoutes(api: Api, services: QueryServices): void {
  const fill = '/app/api/references/:shortId/history-fill'
  api.post(fill, { schema: { params: Params, body: NewHistoryFill, response: { 201: HistoryFill } } }, async (request, reply) =>
    reply.code(201).send(presentFill(await startFill(services, callerOf(request), request.params.shortId, request.body))),
  )
  api.delete(fill, { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await stopFill(services, callerOf(request), request.params.shortId)
    return reply.code(204).send()
  })

  api.get(
    '/app/api/references/:shortId/results',
    { schema: { params: Params, querystring: PageQuery, response: { 200: listPage(KeptResult) } } },
    async (request) => {
      const page = await listKeptResults(services, callerOf(request), { ...request.params, ...request.query })
      return { ...page, items: page.items.map(presentKeptResult) }
    },
  )

  api.get(
    '/app/api/references/:shortId/results/:runId',
    { schema: { params: ResultParams, querystring: ResultQuery, response: { 200: ResultContent } } },
    (request, reply) => sendKeptResult(services, request, reply, { ...request.params, ...request.query }),
  )

  api.get(
    '/app/api/references/:shortId/compare',
    {
      preValidation: readQueryLists('keyColumns'),
      schema: { params: Params, querystring: CompareQuery, response: { 200: ComparisonContent } },
    },
    (request, reply) => sendComparison(services, request, reply, { ...request.params, ...request.query }),
  )

  api.get(
    '/app/api/references/:shortId/why',
    {
      preValidation: readQueryLists('keyColumns'),
      schema: { params: Params, querystring: WhyQuery, response: { 200: ExplainedChange } },
    },
    (request, reply) => sendWhy(services, request, reply, { ...request.params, ...request.query }),
  )

  api.get(
    '/app/api/references/:shortId/past',
    { schema: { params: Params, querystring: PastQuery, response: { 200: PastReference } } },
    async (request) => presentPastReference(await getPastReference(services, callerOf(request), { ...request.params, ...request.query })),
  )

  api.get(
    '/app/api/boards/:shortId/past-results',
    { schema: { params: Params, querystring: PastQuery, response: { 200: PastBoard } } },
    async (request) => {
      const { items, ...board } = await getPastBoard(services, callerOf(request), { ...request.params, ...request.query })
      return { ...board, items: items.map((past) => Object.assign(presentPastReference(past), { referenceShortId: past.referenceShortId })) }
    },
  )

  api.put(
    '/app/api/references/:shortId/results/:runId/pin',
    { ...noBody, schema: { params: ResultParams, response: { 200: KeptResult } } },
    async (request) => presentKeptResult(await pinResult(services, callerOf(request), request.params)),
  )

  api.delete(
    '/app/api/references/:shortId/results/:runId/pin',
    { schema: { params: ResultParams, response: { 200: KeptResult } } },
    async (request) => presentKeptResult(await unpinResult(services, callerOf(request), request.params)),
  )

  api.get(
    '/app/api/references/:shortId/history-settings',
    { schema: { params: Params, response: { 200: ReferenceHistorySettings } } },
    (request) => getReferenceHistorySettings(services, callerOf(request), request.params.shortId),
  )

  api.patch(
    '/app/api/references/:shortId/history-settings',
    { schema: { params: Params, body: ReferenceHistoryChange, response: { 200: ReferenceHistorySettings } } },
    (request) => changeReferenceHistorySettings(services, callerOf(request), { ...request.params, ...request.body }),
  )

  api.get('/app/api/result-history', { schema: { response: { 200: HistorySettings } } }, (request) =>
    getHistorySettings(services, callerOf(request)),
  )

  api.patch(
    '/app/api/result-history',
    { schema: { body: HistoryLimitsChange, response: { 200: HistorySettings } } },
    (request) => changeHistorySettings(services, callerOf(request), request.body),
  )

  api.get(
    '/app/api/result-history/use',
    { schema: { querystring: PageQuery, response: { 200: listPage(HistoryUse) } } },
    (request) => listHistoryUses(services, callerOf(request), request.query),
  )
}
