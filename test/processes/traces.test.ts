import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CollectedSpan, type OtlpCollector, startOtlpCollector } from '@querypost/server/testing'
import { type HealthyReceiver, startHealthyReceiver } from '../faults/healthy-receiver.ts'
import { until } from '../faults/until.ts'
import { startWorld, type World } from '../faults/world.ts'
import { testKey } from '../service-process.ts'

/** One API process and one worker that send their traces to the same collector. */
let collector: OtlpCollector
let world: World
let receiver: HealthyReceiver

beforeAll(async () => {
  collector = await startOtlpCollector()
  world = await startWorld({
    postgresUrl: inject('postgresUrl'),
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=data',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
    },
    together: ['worker'],
  })
  receiver = await startHealthyReceiver(world)
  await world.addEndpoint({ url: receiver.urlOf('/') })
})
afterAll(async () => {
  await world?.close()
  await receiver?.close()
  await collector?.close()
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callerSpanId = '00f067aa0ba902b7'

async function startAutomation(): Promise<void> {
  const { body } = await world.api.api('GET', '/api/queries/refs')
  const [{ shortId }] = (body as { items: [{ shortId: string }] }).items
  const created = await world.page('POST', '/app/api/automations', {
    name: 'Orders',
    instructions: 'Tell what is new.',
    references: [shortId],
    enabled: true,
  })
  const { id } = created.body as { id: string }
  await sendReportsOf(id)
  const answer = await fetch(`${world.api.baseUrl}/api/automations/${id}/runs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${testKey}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${callerSpanId}-01`,
    },
    body: '{}',
  })
  expect(answer.status).toBe(202)
}

/** Sends the summaries of an automation to another path of the receiver. */
async function sendReportsOf(automationId: string): Promise<void> {
  const { id: endpointId } = await world.addEndpoint({ url: receiver.urlOf('/reports'), eventTypes: ['board.report.sent'] })
  const channel = await world.page('POST', '/app/api/channels', { kind: 'webhook', name: 'Reports', settings: { endpointId } })
  const target = { kind: 'channel', channelId: (channel.body as { id: string }).id }
  const report = await world.page('POST', `/app/api/automations/${automationId}/reports`, { content: { kind: 'summary' }, target })
  expect(report.status).toBe(201)
}

/** The names of a span and those above it, from the first. */
function pathOf(span: CollectedSpan): string[] {
  const above = collector.spans.find(({ spanId }) => spanId === span.parentSpanId)
  return above ? [...pathOf(above), span.name] : [span.name]
}

test('one trace leads from a request through the agent, the query and the engine to the webhook and the report', async () => {
  await startAutomation()
  const spans = () => collector.spans.filter((span) => span.traceId === traceId)
  const hasSpan = (start: string) => spans().some(({ name }) => name.startsWith(start))
  await until(() => ['delivery', 'report delivery', 'report preparation', 'agent run', 'query run', 'statement', 'POST'].every(hasSpan))
  const named = (name: string) => spans().find((span) => span.name === name)!
  const request = named('POST /api/automations/:id/runs')
  expect(request).toMatchObject({ parentSpanId: callerSpanId, kind: 2, attributes: { 'http.response.status_code': 202 } })
  expect(pathOf(named('statement'))).toEqual([request.name, 'agent run', 'query run', 'statement'])
  expect(pathOf(named('delivery'))).toEqual([request.name, 'agent run', 'delivery'])
  expect([request, named('statement')].map(({ resource }) => resource['querypost.role'])).toEqual(['api', 'worker'])

  expect(pathOf(named('report delivery'))).toEqual([request.name, 'agent run', 'report preparation', 'report delivery'])
  const sentTo = (path: string) => receiver.requests.find((each) => each.path === path)!
  expect(sentTo('/').headers['traceparent']).toBe(`00-${traceId}-${named('delivery').spanId}-01`)
  expect(sentTo('/reports').headers['traceparent']).toBe(`00-${traceId}-${named('report delivery').spanId}-01`)
})

test('the collector gets valid OTLP with the headers, the resource and the metrics, and no SQL', async () => {
  await until(() => collector.metrics.has('querypost_run_duration_seconds'))
  expect(collector.faults).toEqual([])
  expect(collector.headers.every((headers) => headers['x-team'] === 'data')).toBe(true)
  expect(collector.spans[0]!.resource).toMatchObject({ 'service.name': 'querypost', 'deployment.environment.name': 'test' })
  expect(collector.metrics.get('querypost_spans_dropped_total')).toMatchObject({ sum: { dataPoints: [{ asDouble: 0 }] } })
  expect(JSON.stringify(collector.spans)).not.toMatch(/select /i)
})

test('a process that exports traces stops cleanly', async () => {
  const [worker] = world.others
  expect(await worker!.stop()).toMatchObject({ code: 0 })
})
