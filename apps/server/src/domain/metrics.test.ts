import { expect, test } from 'vitest'
import { makeMetrics } from './metrics.ts'

test('services of one process share the metrics of the process, and nothing else', async () => {
  const [one, other] = [makeMetrics(), makeMetrics()]
  for (const name of ['nodejs_gc_duration_seconds', 'nodejs_eventloop_lag_seconds', 'process_resident_memory_bytes']) {
    expect(one.registry.getSingleMetric(name)).toBeDefined()
    expect(one.registry.getSingleMetric(name)).toBe(other.registry.getSingleMetric(name))
  }
  one.rowsSwept({ kind: 'webhook_events', rows: 3 })
  const swept = 'querypost_swept_rows_total{kind="webhook_events"}'
  expect(await one.registry.metrics()).toContain(`${swept} 3\n`)
  expect(await other.registry.metrics()).toContain(`${swept} 0\n`)
})
