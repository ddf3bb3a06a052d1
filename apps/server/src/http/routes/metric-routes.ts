import { Type } from 'typebox'
import { versionConflict } from '../../domain/content-version.ts'
import { changeMetric, createMetric, deleteMetric, getMetric, listMetrics, type Metric } from '../../domain/knowledge/metric-definitions.ts'
import { readKeptPage } from '../../domain/pagination/kept-list.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { QueryServices } from '../../domain/services.ts'
import { callerOf } from '../authenticate.ts'
import { etagOf, OptionalIfMatch, readBasedOn, requireVersion } from '../if-match.ts'
import { presentMetric } from '../present-metric.ts'
import { responses } from '../responses.ts'
import { PageQuery, pageOf, published, unnamed } from '../schemas.ts'
import { GivenMetric, Metric as MetricSchema } from '../schemas/knowledge-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Knowledge']
const Params = Type.Object({ id: Type.String({ description: 'The metric’s id.', examples: ['knowledge_5t2v'] }) })
const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'Required: the `version` that you change, in double quotes.', examples: ['"1"'] }),
  ),
})
const PublishedMetric = published(MetricSchema, 'Metric', 'A figure that people agreed on how to compute.')
const Given = unnamed(published(GivenMetric, 'GivenMetric', 'A metric as it shall be.'))

/** Metrics for programs: members read them, admins change them. Not part of the retired API. */
export function metricRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/knowledge/metrics',
    {
      config: { scope: 'read:knowledge' },
      schema: {
        operationId: 'metrics.list',
        tags,
        summary: 'List metrics, last changed first',
        description: 'Lists the organization’s metrics, page by page. All pages show the list and every field as of the first page.',
        querystring: PageQuery,
        response: responses(200, pageOf('MetricPage', PublishedMetric), ['cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) =>
      readKeptPage(services, callerOf(request), {
        list: 'metrics',
        request: request.query,
        readItems: async (count) => (await listMetrics(services, callerOf(request))).toSorted(lastChangedFirst).slice(0, count).map(presentMetric),
      }),
  )

  api.post(
    '/api/knowledge/metrics',
    {
      config: { scope: 'admin:knowledge' },
      schema: {
        operationId: 'metrics.create',
        tags,
        summary: 'Create a metric',
        description: 'Defines a figure by SQL or by a saved query. Agents use it in their answers. Only for admins.',
        body: Given,
        response: responses(201, PublishedMetric, ['forbidden', 'database_not_found', 'reference_not_found', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const metric = await createMetric(services, callerOf(request), request.body)
      return reply.code(201).header('etag', etagOf(metric)).send(presentMetric(metric))
    },
  )

  api.get(
    '/api/knowledge/metrics/:id',
    {
      config: { scope: 'read:knowledge' },
      schema: {
        operationId: 'metrics.get',
        tags,
        summary: 'Retrieve a metric',
        description: 'Returns the metric. Its `version` is also the `ETag`.',
        params: Params,
        response: responses(200, PublishedMetric, ['knowledge_not_found']),
      },
    },
    async (request, reply) => {
      const metric = await getMetric(services.db, callerOf(request), request.params.id)
      reply.header('etag', etagOf(metric))
      return presentMetric(metric)
    },
  )

  api.put(
    '/api/knowledge/metrics/:id',
    {
      config: { scope: 'admin:knowledge' },
      schema: {
        operationId: 'metrics.replace',
        tags,
        summary: 'Replace a metric',
        description:
          'Replaces all fields. Send the version that you have read as `If-Match`. If someone has changed the metric since, nothing is changed. Only for admins.',
        params: Params,
        headers: IfMatch,
        body: Given,
        response: responses(200, PublishedMetric, [
          'forbidden',
          'knowledge_not_found',
          'database_not_found',
          'reference_not_found',
          'managed_by_files',
          'version_conflict',
          'body_too_large',
        ]),
      },
    },
    async (request, reply) => {
      const change = { metricId: request.params.id, version: requireVersion(request), metric: request.body }
      const metric = await changeMetric(services, callerOf(request), change).catch(asVersionConflict)
      reply.header('etag', etagOf(metric))
      return presentMetric(metric)
    },
  )

  api.delete(
    '/api/knowledge/metrics/:id',
    {
      config: { scope: 'admin:knowledge' },
      schema: {
        operationId: 'metrics.delete',
        tags,
        summary: 'Delete a metric',
        description: 'Returns the deleted metric. Only for admins.',
        params: Params,
        headers: OptionalIfMatch,
        response: responses(200, PublishedMetric, ['forbidden', 'knowledge_not_found', 'managed_by_files', 'version_conflict', 'body_too_large']),
      },
    },
    async (request) => presentMetric(await deleteMetric(services, callerOf(request), request.params.id, readBasedOn(request))),
  )
}

/** The pages send versions in the body and have a code of their own. */
function asVersionConflict(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'knowledge_changed') throw error
  throw versionConflict('metric', error.currentVersion!)
}

const lastChangedFirst = (a: Metric, b: Metric) => b.changedAt.getTime() - a.changedAt.getTime() || (a.id < b.id ? 1 : -1)
