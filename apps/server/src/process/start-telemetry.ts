import { productVersion } from '../backup/product-version.ts'
import type { Metrics } from '../domain/metrics.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { makeOtlpClient } from '../ports/telemetry/otlp-client.ts'
import { encodeSpans } from '../ports/telemetry/otlp-json.ts'
import { encodeMetrics, type ListedMetric } from '../ports/telemetry/otlp-metrics.ts'
import { makeSampler } from '../ports/telemetry/sampler.ts'
import { makeSpanQueue } from '../ports/telemetry/span-queue.ts'
import { makeTracer, type Tracer } from '../ports/telemetry/spans.ts'
import type { TelemetrySetting } from '../ports/telemetry/telemetry-setting.ts'
import { repeatTask } from '../work/repeat.ts'

interface TelemetryOptions {
  setting: TelemetrySetting
  role: string
  clock: Clock
  random: Random
  log: Log
  metrics: Pick<Metrics, 'registry' | 'watchDroppedSpans'>
}

export interface Telemetry {
  /** Undefined if only metrics are sent. */
  tracer: Tracer | undefined
  stop(): Promise<void>
}

/** How long a stop waits for the collector to take what is left. */
const flushMs = 2_000

/** Sends traces and metrics to an OpenTelemetry collector until it is stopped. Nothing waits for the collector except the stop. */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  const closing = new AbortController()
  const traces = startTraces(options, closing.signal)
  const metrics = startMetrics(options, closing.signal)
  return {
    tracer: traces?.tracer,
    async stop() {
      const flushed = new AbortController()
      void options.clock.sleep(flushMs, flushed.signal).then(() => closing.abort())
      await Promise.all([traces?.stop(), metrics?.stop()])
      flushed.abort()
    },
  }
}

const resourceFor = ({ setting, role }: TelemetryOptions) => ({
  serviceName: setting.serviceName,
  serviceVersion: productVersion(),
  attributes: { 'querypost.role': role, ...setting.resourceAttributes },
})

function startTraces(options: TelemetryOptions, closing: AbortSignal) {
  const { setting, clock, log } = options
  if (setting.tracesUrl === null) return undefined
  const resource = resourceFor(options)
  const send = makeOtlpClient({ ...setting, url: setting.tracesUrl, closing, clock, log })
  const queue = makeSpanQueue({ send: (batch) => send(encodeSpans(resource, batch)), onBatch: () => exporting.look() })
  const { exportWaiting, droppedCount } = queue
  const exporting = repeatTask({ what: 'export spans', everyMs: setting.spansEveryMs, clock, log, act: exportWaiting })
  exporting.start()
  options.metrics.watchDroppedSpans(droppedCount)
  return {
    tracer: makeTracer({ ...options, sampler: makeSampler(setting.sampler), showsSql: setting.showsSql, onEnded: queue.add }),
    async stop() {
      await exporting.stop()
      await exportWaiting()
      queue.dropWaiting()
      if (droppedCount() > 0) log.warn({ droppedSpans: droppedCount() }, 'spans dropped')
    },
  }
}

function startMetrics(options: TelemetryOptions, closing: AbortSignal) {
  const { setting, clock, log, metrics } = options
  if (setting.metricsUrl === null) return undefined
  const resource = resourceFor(options)
  const startedAt = clock.now()
  const send = makeOtlpClient({ ...setting, url: setting.metricsUrl, closing, clock, log })
  async function exportMetrics() {
    const listed = (await metrics.registry.getMetricsAsJSON()) as unknown as ListedMetric[]
    await send(encodeMetrics(resource, listed, { startedAt, now: clock.now() }))
  }
  const exporting = repeatTask({ what: 'export metrics', everyMs: setting.metricsEveryMs, clock, log, act: exportMetrics })
  exporting.start()
  return {
    async stop() {
      await exporting.stop()
      await exportMetrics()
    },
  }
}
