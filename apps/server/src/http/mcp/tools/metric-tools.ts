import { Type } from 'typebox'
import * as metrics from '../../../domain/knowledge/metric-definitions.ts'
import { GivenMetric } from '../../schemas/knowledge-schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { shown } from '../mcp-texts.ts'
import { closed, inputOf, integer, text, Version } from '../shapes.ts'
import { creates, defineTool, reads, replaces } from '../tool.ts'

const MetricId = Type.String({ maxLength: 100, description: 'An id from list_metrics' })
const MetricAnswer = Type.Object({ id: text, name: text, description: text, version: integer })

const present = ({ id, version, content }: metrics.Metric) => ({
  id,
  name: shown(content.name, bounds.listedText),
  description: shown(content.description, bounds.listedText),
  version,
})

export const listMetrics = defineTool({
  name: 'list_metrics',
  scope: 'read:knowledge',
  title: 'List metrics',
  description: 'Lists the metrics that the organization has defined, by name. Use their definitions before your own.',
  hints: reads,
  input: Type.Object({}, closed),
  output: Type.Object({ items: Type.Array(Type.Object({ ...MetricAnswer.properties, definition: text })) }),
  async call({ services, caller }) {
    const listed = (await metrics.listMetrics(services, caller)).slice(0, bounds.metrics)
    return { items: listed.map((metric) => Object.assign(present(metric), { definition: describeDefinition(metric.content.definition) })) }
  },
})

function describeDefinition(definition: metrics.Metric['content']['definition']): string {
  return definition.kind === 'sql' ? shown(definition.sql, bounds.listedText) : `the reference ${definition.shortId}`
}

export const createMetric = defineTool({
  name: 'create_metric',
  scope: 'admin:knowledge',
  title: 'Define a metric',
  description: 'Defines a figure by SQL or by a reference. Agents then use it in their answers. Only for admins.',
  hints: creates,
  input: inputOf({}, GivenMetric),
  output: MetricAnswer,
  call: async ({ services, caller }, input) => present(await metrics.createMetric(services, caller, input)),
})

export const updateMetric = defineTool({
  name: 'update_metric',
  scope: 'admin:knowledge',
  title: 'Replace a metric',
  description: 'Replaces all fields of a metric. Only for admins.',
  hints: replaces,
  input: inputOf({ metricId: MetricId, version: Version }, GivenMetric),
  output: MetricAnswer,
  call: async ({ services, caller }, { metricId, version, ...metric }) =>
    present(await metrics.changeMetric(services, caller, { metricId, version, metric })),
})

export const deleteMetric = defineTool({
  name: 'delete_metric',
  scope: 'admin:knowledge',
  title: 'Delete a metric',
  description: 'Deletes the definition of a metric. Only for admins.',
  hints: replaces,
  input: Type.Object({ metricId: MetricId }, closed),
  output: MetricAnswer,
  call: async ({ services, caller }, { metricId }) => present(await metrics.deleteMetric(services, caller, metricId)),
})
