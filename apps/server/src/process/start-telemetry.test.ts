import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { type OtlpCollector, startOtlpCollector } from '../../testing/servers/otlp-collector.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { makeMetrics } from '../domain/metrics.ts'
import { systemClock } from '../ports/clock.ts'
import { spanQueueLimits } from '../ports/telemetry/span-queue.ts'
import { startTelemetry } from './start-telemetry.ts'

let collector: OtlpCollector | undefined
afterEach(async () => {
  await collector?.close()
  collector = undefined
})

const setting = (url: string) => ({
  tracesUrl: `${url}/v1/traces`,
  metricsUrl: `${url}/v1/metrics`,
  headers: {},
  serviceName: 'querypost',
  resourceAttributes: {},
  sampler: { name: 'always_on', ratio: 1 } as const,
  showsSql: false,
  timeoutMs: 10_000,
  spansEveryMs: 3_600_000,
  metricsEveryMs: 3_600_000,
})

const start = (url: string, clock = systemClock) => {
  const metrics = makeMetrics()
  const telemetry = startTelemetry({ setting: setting(url), role: 'all', clock, random: seededRandom('telemetry'), log: silentLog, metrics })
  return { ...telemetry, tracer: telemetry.tracer!, metrics }
}

const droppedOf = async ({ registry }: ReturnType<typeof makeMetrics>) =>
  Number(/^querypost_spans_dropped_total (\d+)$/m.exec(await registry.metrics())![1])

test('a stop sends what is left', async () => {
  collector = await startOtlpCollector()
  const { tracer, stop } = start(collector.url)
  tracer.start({ name: 'request', parent: null }).end()
  await stop()
  expect(collector.spans).toMatchObject([{ name: 'request', resource: { 'service.name': 'querypost', 'querypost.role': 'all' } }])
  expect([...collector.metrics.keys()]).toEqual(expect.arrayContaining(['process_cpu_seconds_total', 'querypost_run_duration_seconds']))
  expect(collector.faults).toEqual([])
})

test('while the collector is overloaded, spans beyond the limit are dropped and counted', async () => {
  collector = await startOtlpCollector({ answer: () => ({ status: 503 }) })
  const { tracer, stop, metrics } = start(collector.url)
  for (let count = 0; count < spanQueueLimits.waitingMax + 7; count += 1) tracer.start({ name: 'request', parent: null }).end()
  expect(await droppedOf(metrics)).toBe(7)
  await stop()
  expect(await droppedOf(metrics)).toBe(spanQueueLimits.waitingMax + 7)
})

test('a collector that never answers does not hold up a stop', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const clock = manualClock()
  const { tracer, stop } = start(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, clock)
  tracer.start({ name: 'request', parent: null }).end()
  const stopped = stop()
  await once(silent, 'connection')
  await clock.advance(2_000)
  await expect(stopped).resolves.toBeUndefined()
  silent.close()
})
