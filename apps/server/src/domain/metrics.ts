import { agentKinds } from '../model/agent-run.ts'
import { type SweptKind, sweptKinds } from './sweep-step.ts'
import type { Attempt, AttemptFailure } from '../model/delivery.ts'
import type { DeliveryDecision } from '../model/claimed-delivery.ts'
import type { FeedDecision } from '../model/change-feed.ts'
import type { TableSize } from '../store/read-table-sizes.ts'
import { tableRetention } from './table-retention.ts'
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client'

/** The service's Prometheus metrics. Labels never contain people, keys or SQL. */
export interface Metrics {
  registry: Registry
  requestEnded(request: { method: string; route: string; status: number; durationMs: number }): void
  runEnded(run: { status: string; durationMs: number; rowCount: number }): void
  agentRunEnded(run: { agent: string; status: string; durationMs: number }): void
  /** A result was compared for a change feed, or could not be. */
  feedAdvanced(step: { outcome: FeedDecision['state'] }): void
  attemptEnded(attempt: Attempt, decision: DeliveryDecision): void
  rowsSwept(swept: { kind: SweptKind; rows: number }): void
  /** Called at every scrape; if it fails, the values are left out. */
  watchWaiting(read: () => Promise<object>): void
  watchDroppedLogLines(read: () => number): void
  watchDroppedSpans(read: () => number): void
  /** Called at every scrape; if it fails, the values are left out. */
  watchTableSizes(read: () => Promise<TableSize[]>): void
}

const failureKinds = Object.keys({
  address_refused: true,
  name_not_resolved: true,
  connection_failed: true,
  tls_failed: true,
  response_broken: true,
  deadline_passed: true,
  status_not_2xx: true,
  secret_unreadable: true,
  internal_error: true,
} satisfies Record<AttemptFailure['kind'], true>)

const feedOutcomes = Object.keys({
  changed: true,
  unchanged: true,
  started: true,
  passed: true,
  due: true,
  given_back: true,
} satisfies Record<FeedDecision['state'], true>)

let processMetrics: Metric[] | undefined

/**
 * Memory, event loop and garbage collection. They are collected once in a process, whatever number of services it makes: a collection
 * has a timer and an observer that never end.
 */
function metricsOfProcess(): Metric[] {
  if (!processMetrics) {
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    processMetrics = registry.getMetricsAsArray() as unknown as Metric[]
  }
  return processMetrics
}

export function makeMetrics(): Metrics {
  const registry = new Registry()
  for (const metric of metricsOfProcess()) registry.registerMetric(metric)
  const requests = new Histogram({
    name: 'querypost_http_request_duration_seconds',
    help: 'Duration of HTTP requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  const runs = new Histogram({
    name: 'querypost_run_duration_seconds',
    help: 'Duration of runs, from claimed to recorded',
    labelNames: ['status'],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300],
    registers: [registry],
  })
  const rows = new Counter({ name: 'querypost_result_rows_total', help: 'Rows stored in results', registers: [registry] })
  const agentRuns = new Histogram({
    name: 'querypost_agent_run_duration_seconds',
    help: 'Duration of agent runs, from claimed to recorded',
    labelNames: ['agent', 'status'],
    buckets: [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000],
    registers: [registry],
  })
  const attempts = new Histogram({
    name: 'querypost_webhook_attempt_duration_seconds',
    help: 'Duration of attempts to deliver an event, by why they failed and what became of the delivery',
    labelNames: ['failure', 'delivery'],
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  const feedSteps = new Counter({
    name: 'querypost_change_feed_results_total',
    help: 'Results that change feeds have looked at, by what became of them',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const swept = new Counter({
    name: 'querypost_swept_rows_total',
    help: 'Rows removed because their retention is over',
    labelNames: ['kind'],
    registers: [registry],
  })
  let readDroppedLogLines: (() => number) | undefined
  const droppedLogLines = new Counter({
    name: 'querypost_log_lines_dropped_total',
    help: 'Log lines dropped because the output was full, slow or closed',
    registers: [registry],
    collect() {
      droppedLogLines.reset()
      droppedLogLines.inc(readDroppedLogLines?.() ?? 0)
    },
  })
  let readDroppedSpans: (() => number) | undefined
  const droppedSpans = new Counter({
    name: 'querypost_spans_dropped_total',
    help: 'Spans dropped because the OpenTelemetry collector was slow or absent, or rejected them',
    registers: [registry],
    collect() {
      droppedSpans.reset()
      droppedSpans.inc(readDroppedSpans?.() ?? 0)
    },
  })
  // Start every series at zero. A series that starts with its first event shows no increase, so Prometheus would miss the first
  // failure.
  for (const status of ['completed', 'failed', 'stopped']) {
    runs.zero({ status })
    for (const agent of agentKinds) agentRuns.zero({ agent, status })
  }
  for (const kind of sweptKinds) swept.inc({ kind }, 0)
  for (const outcome of feedOutcomes) feedSteps.inc({ outcome }, 0)
  attempts.zero({ failure: 'none', delivery: 'delivered' })
  for (const failure of failureKinds) {
    for (const delivery of ['pending', 'exhausted']) attempts.zero({ failure, delivery })
  }
  return {
    registry,
    requestEnded: ({ method, route, status, durationMs }) =>
      requests.observe({ method, route, status: String(status) }, durationMs / 1000),
    runEnded({ status, durationMs, rowCount }) {
      runs.observe({ status }, durationMs / 1000)
      rows.inc(rowCount)
    },
    agentRunEnded: ({ agent, status, durationMs }) => agentRuns.observe({ agent, status }, durationMs / 1000),
    feedAdvanced: ({ outcome }) => feedSteps.inc({ outcome }),
    attemptEnded: ({ failure, durationMs }, { state }) =>
      attempts.observe({ failure: failure?.kind ?? 'none', delivery: state }, durationMs / 1000),
    rowsSwept: ({ kind, rows: count }) => swept.inc({ kind }, count),
    watchDroppedLogLines(read) {
      readDroppedLogLines = read
    },
    watchDroppedSpans(read) {
      readDroppedSpans = read
    },
    watchTableSizes(read) {
      const measure = (name: string, help: string, valueOf: (size: TableSize) => number | null) => {
        const gauge = new Gauge({
          name,
          help,
          labelNames: ['table', 'kept'],
          registers: [registry],
          async collect() {
            const sizes = await read().catch(() => [])
            gauge.reset()
            for (const size of sizes) {
              const { table } = size
              const value = valueOf(size)
              if (value !== null) gauge.set({ table, kept: tableRetention[table]?.kept ?? 'unknown' }, value)
            }
          },
        })
      }
      measure('querypost_table_bytes', 'Size of each table of the store with its indexes, by what limits it', (size) => size.sizeBytes)
      measure('querypost_table_rows', 'Estimated number of rows of each table, as of the last vacuum', (size) => size.rowCount)
    },
    watchWaiting(read) {
      const waiting = new Gauge({
        name: 'querypost_waiting_seconds',
        help: 'How long the oldest due work in the store has waited for a worker',
        labelNames: ['work'],
        registers: [registry],
        async collect() {
          const seconds = await read().catch(() => ({}))
          waiting.reset()
          for (const [work, value] of Object.entries(seconds)) waiting.set({ work }, Number(value))
        },
      })
    },
  }
}
