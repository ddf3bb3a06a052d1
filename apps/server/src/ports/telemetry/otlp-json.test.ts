import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client'
import { expect, test } from 'vitest'
import { findOtlpFaults } from '../../../testing/telemetry/check-otlp.ts'
import { encodeSpans, nanoseconds } from './otlp-json.ts'
import { encodeMetrics, type ListedMetric } from './otlp-metrics.ts'
import { parseKeyValues } from './telemetry-setting.ts'

const resource = { serviceName: 'querypost', serviceVersion: '1.2.3', attributes: { 'deployment.environment.name': 'test' } }
const times = { startedAt: new Date('2026-01-05T09:00:00Z'), now: new Date('2026-01-05T09:01:00Z') }

test('spans have the form that OTLP defines', () => {
  const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true }
  const span = { context, name: 'run', kind: 'consumer', startedAt: times.startedAt, durationMs: 1.25 } as const
  const attributes = { text: 'x', count: 3, ratio: 0.5, isLate: false, nothing: null, missing: undefined }
  const sent: unknown = JSON.parse(encodeSpans(resource, [{ ...span, parentSpanId: 'c'.repeat(16), attributes, failure: 'failed' }]))
  expect(findOtlpFaults('ExportTraceServiceRequest', sent)).toEqual([])
  expect(sent).toMatchObject({
    resourceSpans: [
      {
        resource: { attributes: expect.arrayContaining([{ key: 'service.name', value: { stringValue: 'querypost' } }]) },
        scopeSpans: [
          {
            spans: [
              {
                kind: 5,
                startTimeUnixNano: '1767603600000000000',
                endTimeUnixNano: '1767603600001250000',
                status: { code: 2 },
                attributes: [
                  { key: 'text', value: { stringValue: 'x' } },
                  { key: 'count', value: { intValue: '3' } },
                  { key: 'ratio', value: { doubleValue: 0.5 } },
                  { key: 'isLate', value: { boolValue: false } },
                  { key: 'error.type', value: { stringValue: 'failed' } },
                ],
              },
            ],
          },
        ],
      },
    ],
  })
})

test('metrics have the form that OTLP defines, and buckets count what is between their bounds', async () => {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'rows_total', help: 'Rows', registers }).inc(7)
  new Gauge({ name: 'waiting_seconds', help: 'Wait', labelNames: ['work'], registers }).set({ work: 'runs' }, 1.5)
  const histogram = new Histogram({ name: 'run_duration_seconds', help: 'Duration', labelNames: ['status'], buckets: [1, 10], registers })
  for (const seconds of [0.5, 5, 5, 50]) histogram.observe({ status: 'completed' }, seconds)
  new Summary({ name: 'sizes', help: 'Sizes', percentiles: [0.5], registers }).observe(3)
  registry.registerMetric(new Gauge({ name: 'empty', help: 'Without values', labelNames: ['work'], registers: [] }))
  const listed = (await registry.getMetricsAsJSON()) as unknown as ListedMetric[]
  const sent = JSON.parse(encodeMetrics(resource, listed, times)) as { resourceMetrics: { scopeMetrics: { metrics: object[] }[] }[] }
  expect(findOtlpFaults('ExportMetricsServiceRequest', sent)).toEqual([])
  expect(sent.resourceMetrics[0]!.scopeMetrics[0]!.metrics).toMatchObject([
    { name: 'rows_total', sum: { isMonotonic: true, aggregationTemporality: 2, dataPoints: [{ asDouble: 7 }] } },
    {
      name: 'waiting_seconds',
      unit: 's',
      gauge: { dataPoints: [{ asDouble: 1.5, attributes: [{ key: 'work', value: { stringValue: 'runs' } }] }] },
    },
    {
      name: 'run_duration_seconds',
      histogram: { dataPoints: [{ count: '4', sum: 60.5, explicitBounds: [1, 10], bucketCounts: ['1', '2', '1'] }] },
    },
    { name: 'sizes', summary: { dataPoints: [{ count: '1', sum: 3, quantileValues: [{ quantile: 0.5, value: 3 }] }] } },
  ])
})

test('the check finds unknown fields, wrong types and wrong ids', () => {
  const span = { traceId: 'xyz', spanId: 'b'.repeat(16), startTimeUnixNano: 5, kind: 9, shape: 'round' }
  const sent = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
  expect(findOtlpFaults('ExportTraceServiceRequest', sent)).toHaveLength(4)
})

test('nanoseconds are exact to the microsecond', () => {
  expect(nanoseconds(1_767_603_600_000.125)).toBe('1767603600000125000')
})

test('reads headers and resource attributes', () => {
  expect(parseKeyValues('authorization=Bearer%20x=, team = data ')).toEqual({ authorization: 'Bearer x=', team: 'data' })
  expect(parseKeyValues('')).toEqual({})
  expect(parseKeyValues('team')).toBeUndefined()
  expect(parseKeyValues('team=%zz')).toBeUndefined()
})
