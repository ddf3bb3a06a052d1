import { Type } from 'typebox'
import type { Caller } from '../../../model/caller.ts'
import type { DbtTable } from '../../../model/dbt.ts'
import { type Suggestion as KnownSuggestion, knowledgeLimits } from '../../../model/knowledge.ts'
import { type Instructions as KnownInstructions, listInstructions, putInstructions } from '../../../domain/knowledge/instructions.ts'
import { listKnowledgeHistory, restoreKnowledge } from '../../../domain/knowledge/knowledge-history.ts'
import {
  changeMetric,
  createMetric,
  deleteMetric,
  listMetrics,
} from '../../../domain/knowledge/metric-definitions.ts'
import { refreshStaleCatalogs } from '../../../domain/knowledge/refresh-catalogs.ts'
import {
  acceptSuggestion,
  declineSuggestion,
  listSuggestions,
  suggestKnowledge,
} from '../../../domain/knowledge/suggestions.ts'
import { describedColumn, type DescribedTable, putTableDescription, searchTables } from '../../../domain/knowledge/table-descriptions.ts'
import { listVerifiedQueries, unverifyReference, type VerifiedReference, verifyReference } from '../../../domain/knowledge/verify-reference.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noBody, noContent } from '../../page-responses.ts'
import { presentMetric } from '../../present-metric.ts'
import { presentVerification } from '../../present.ts'
import { closed, listPage, PageQuery, wholeList } from '../../schemas.ts'
import {
  AcceptedSuggestion,
  CatalogTable,
  FoundTables,
  GivenInstructions,
  GivenMetric,
  GivenSuggestion,
  GivenTableDescription,
  Instructions,
  KnowledgeVersion,
  Metric,
  MetricChange,
  Suggestion,
  SuggestionState,
  Verification,
  VerifiedQuery,
} from '../../schemas/knowledge-schemas.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })
const root = '/app/api/knowledge'
const tablesUsual = 50

/** What agents know. Members read it and make suggestions; admins change it. */
export function knowledgeRoutes(api: Api, services: QueryServices): void {
  instructionsRoutes(api, services)
  metricRoutes(api, services)
  verificationRoutes(api, services)
  tableRoutes(api, services)
  suggestionRoutes(api, services)
  historyRoutes(api, services)
}

function instructionsRoutes(api: Api, services: QueryServices): void {
  api.get(`${root}/instructions`, { schema: { response: { 200: wholeList(Instructions) } } }, async (request) => ({
    items: (await listInstructions(services, callerOf(request))).map(presentInstructions),
  }))

  api.put(
    `${root}/instructions`,
    { schema: { body: GivenInstructions, response: { 200: Instructions } } },
    async (request) => presentInstructions(await putInstructions(services, callerOf(request), request.body)),
  )
}

function metricRoutes(api: Api, services: QueryServices): void {
  api.get(`${root}/metrics`, { schema: { response: { 200: wholeList(Metric) } } }, async (request) => ({
    items: (await listMetrics(services, callerOf(request))).map(presentMetric),
  }))

  api.post(
    `${root}/metrics`,
    { schema: { body: GivenMetric, response: { 201: Metric } } },
    async (request, reply) =>
      reply.code(201).send(presentMetric(await createMetric(services, callerOf(request), request.body))),
  )

  api.put(
    `${root}/metrics/:id`,
    { schema: { params: Params, body: MetricChange, response: { 200: Metric } } },
    async (request) => {
      const { version, ...metric } = request.body
      const change = { metricId: request.params.id, version, metric }
      return presentMetric(await changeMetric(services, callerOf(request), change))
    },
  )

  api.delete(`${root}/metrics/:id`, { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await deleteMetric(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })
}

function verificationRoutes(api: Api, services: QueryServices): void {
  const path = '/app/api/references/:shortId/verification'
  const params = Type.Object({ shortId: Type.String() })

  api.get(`${root}/verified-queries`, { schema: { response: { 200: wholeList(VerifiedQuery) } } }, async (request) => ({
    items: (await listVerifiedQueries(services, callerOf(request))).map(presentVerifiedQuery),
  }))

  api.put(path, { ...noBody, schema: { params, response: { 200: Verification } } }, async (request) =>
    presentVerification(await verifyReference(services, callerOf(request), request.params.shortId)),
  )

  api.delete(path, { schema: { params, response: noContent } }, async (request, reply) => {
    await unverifyReference(services, callerOf(request), request.params.shortId)
    return reply.code(204).send()
  })
}

function tableRoutes(api: Api, services: QueryServices): void {
  const Search = Type.Object(
    {
      search: Type.Optional(Type.String({ maxLength: 200 })),
      database: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    closed,
  )

  api.get(
    `${root}/tables`,
    { schema: { querystring: Search, response: { 200: FoundTables } } },
    async (request) => {
      const { search, database: databaseId, limit = tablesUsual } = request.query
      const caller: Caller = callerOf(request)
      await refreshStaleCatalogs(services, caller)
      const { items, isComplete } = await searchTables(services, caller, { search, databaseId, limit })
      return { items: items.map(presentTable), isComplete }
    },
  )

  api.put(
    `${root}/tables`,
    { schema: { body: GivenTableDescription, response: { 200: CatalogTable } } },
    async (request) => presentTable(await putTableDescription(services, callerOf(request), request.body)),
  )
}

function suggestionRoutes(api: Api, services: QueryServices): void {
  api.get(
    `${root}/suggestions`,
    {
      schema: {
        querystring: Type.Object({ state: Type.Optional(SuggestionState) }, closed),
        response: { 200: wholeList(Suggestion) },
      },
    },
    async (request) => ({
      items: (await listSuggestions(services, callerOf(request), request.query.state ?? 'open')).map(presentSuggestion),
    }),
  )

  api.post(
    `${root}/suggestions`,
    { schema: { body: GivenSuggestion, response: { 201: Suggestion } } },
    async (request, reply) => {
      const { chat = null, ...given } = request.body
      return reply.code(201).send(presentSuggestion(await suggestKnowledge(services, callerOf(request), { ...given, chat })))
    },
  )

  api.post(
    `${root}/suggestions/:id/accept`,
    { schema: { params: Params, body: AcceptedSuggestion, response: { 200: Suggestion } } },
    async (request) => {
      const accepted = { suggestionId: request.params.id, ...request.body }
      return presentSuggestion(await acceptSuggestion(services, callerOf(request), accepted))
    },
  )

  api.post(
    `${root}/suggestions/:id/decline`,
    { ...noBody, schema: { params: Params, response: { 200: Suggestion } } },
    async (request) => presentSuggestion(await declineSuggestion(services, callerOf(request), request.params.id)),
  )
}

function historyRoutes(api: Api, services: QueryServices): void {
  api.get(
    `${root}/history`,
    { schema: { querystring: PageQuery, response: { 200: listPage(KnowledgeVersion) } } },
    async (request) => {
      const page = await listKnowledgeHistory(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(timesAsText) }
    },
  )

  api.post(
    `${root}/items/:id/restore`,
    {
      schema: {
        params: Params,
        body: Type.Object({ number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }, closed),
        response: noContent,
      },
    },
    async (request, reply) => {
      await restoreKnowledge(services, callerOf(request), { itemId: request.params.id, ...request.body })
      return reply.code(204).send()
    },
  )
}

const presentInstructions = ({ changed, ...instructions }: KnownInstructions) => ({
  ...instructions,
  changed: changed && { by: changed.by, at: changed.at.toISOString() },
  maxCharacters: instructions.database
    ? knowledgeLimits.databaseInstructionsCharacters
    : knowledgeLimits.instructionsCharacters,
})

const presentVerifiedQuery = ({ shortId, title, description, databaseId, verification }: VerifiedReference) => ({
  shortId,
  title,
  description,
  databaseId,
  verification: presentVerification(verification),
})

const presentTable = ({ own, dbt, columns, ...table }: DescribedTable) => ({
  ...table,
  description: own?.description ?? null,
  dbt: dbt && presentDbtTable(dbt),
  columns: columns.map((column) => ({
    ...column,
    description: describedColumn(own, column.name),
    dbtDescription: describedColumn(dbt, column.name),
  })),
})

const presentDbtTable = ({ kind, description, builtFrom, file, docsUrl, sourceUrl, freshness }: DbtTable) => ({
  kind,
  description,
  builtFrom,
  file,
  docsUrl,
  sourceUrl,
  freshness,
})

function presentSuggestion({ organizationId: _, suggestedAt, decidedAt, ...suggestion }: KnownSuggestion) {
  return { ...suggestion, suggestedAt: suggestedAt.toISOString(), decidedAt: decidedAt?.toISOString() ?? null }
}
