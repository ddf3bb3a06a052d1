import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { makeMetrics } from '@querypost/server/documentation'
import { namesIn } from './promql.ts'

/** The page, its alerts and the dashboard name exactly the metrics that exist. */
const page = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8')
const dashboard = JSON.parse(readFileSync(new URL('../../docs/grafana/querypost.json', import.meta.url), 'utf8')) as Dashboard

interface Dashboard {
  uid: string
  schemaVersion: number
  templating: { list: { name: string; definition?: string }[] }
  panels: {
    id: number
    type: string
    title: string
    gridPos: { x: number; y: number; w: number; h: number }
    targets?: { refId: string; expr: string; legendFormat: string }[]
  }[]
}

const known = new Set<string>()
const series = new Set(['up'])
const labels = new Set(['job', 'instance', 'le'])
beforeAll(async () => {
  const metrics = makeMetrics()
  metrics.watchWaiting(async () => ({}))
  metrics.watchTableSizes(async () => [])
  for (const { name, type } of await metrics.registry.getMetricsAsJSON()) {
    known.add(name)
    // prom-client 15 has metric types as strings.
    const isHistogram = String(type) === 'histogram'
    for (const one of isHistogram ? [`${name}_count`, `${name}_sum`, `${name}_bucket`] : [name]) series.add(one)
    const { labelNames } = metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] }
    for (const label of labelNames) labels.add(label)
  }
})

function expectKnown(expression: string) {
  const names = namesIn(expression)
  expect(names.metrics, expression).not.toEqual([])
  expect(names.metrics.filter((name) => !series.has(name)), expression).toEqual([])
  expect(names.labels.filter((label) => !labels.has(label)), expression).toEqual([])
}

test('the page names exactly the existing metrics', () => {
  const tables = page.slice(page.indexOf('## Metrics'), page.indexOf('## Alerts'))
  const rows = tables.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) => Array.from(row.split('|')[1]!.matchAll(/`([^`]+)`/g), ([, name]) => name!))
  expect(named.sort()).toEqual([...known].sort())
})

test('the page names the labels of Querypost’s own metrics', () => {
  const metrics = makeMetrics()
  metrics.watchWaiting(async () => ({}))
  metrics.watchTableSizes(async () => [])
  const labels = Object.fromEntries(
    Array.from(page.matchAll(/^\| `(querypost_\w+)` \|([^|]*)\|/gm), ([, name, names]) => [
      name!,
      Array.from(names!.matchAll(/`(\w+)`/g), ([, label]) => label!),
    ]),
  )
  for (const [name, names] of Object.entries(labels)) {
    const { labelNames } = metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] }
    expect(names, name).toEqual([...labelNames])
  }
})

test('alerts use existing metrics and labels', () => {
  const expressions = Array.from(page.matchAll(/^ +expr: (.+)$/gm), ([, expression]) => expression!)
  expect(expressions).toHaveLength(page.split('- alert:').length - 1)
  for (const expression of expressions) expectKnown(expression)
})

test('metrics in alerts start at zero, so that the first event counts as an increase', async () => {
  const metrics = makeMetrics()
  for (const wanted of [
    'querypost_webhook_attempt_duration_seconds_count{failure="status_not_2xx",delivery="exhausted"} 0',
    'querypost_webhook_attempt_duration_seconds_count{failure="secret_unreadable",delivery="pending"} 0',
    'querypost_agent_run_duration_seconds_count{agent="model",status="failed"} 0',
    'querypost_run_duration_seconds_count{status="failed"} 0',
  ]) {
    expect((await metrics.registry.metrics()).split('\n')).toContain(wanted)
  }
})

test('the page names every reason for a failed attempt', async () => {
  const text = await makeMetrics().registry.metrics()
  const failures = new Set(Array.from(text.matchAll(/failure="(\w+)"/g), ([, failure]) => failure!))
  expect(failures.size).toBeGreaterThan(5)
  for (const failure of failures) expect(page).toContain(`\`${failure}\``)
})

test('the dashboard uses existing metrics and labels', () => {
  expect(dashboard).toMatchObject({ uid: 'querypost', schemaVersion: expect.any(Number) })
  const targets = dashboard.panels.flatMap((panel) => panel.targets ?? [])
  expect(targets.length).toBeGreaterThan(20)
  for (const { expr } of targets) expectKnown(expr)
  const [, variable] = dashboard.templating.list
  expectKnown(/^label_values\((\w+), job\)$/.exec(variable!.definition!)![1]!)
})

test('the panels of the dashboard have unique ids and positions', () => {
  const { panels } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const taken = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  )
  expect(new Set(taken).size).toBe(taken.length)
  expect(panels.every(({ gridPos }) => gridPos.x + gridPos.w <= 24)).toBe(true)
})

test.each([
  ['max by (work) (querypost_waiting_seconds{job=~"$job"}) > 60', ['querypost_waiting_seconds'], ['job', 'work']],
  ['rate(a_total{status=~"5..",x!="}"}[5m]) / b or vector(0)', ['a_total', 'b'], ['status', 'x']],
  ['count(up == 1) unless count(other)', ['up', 'other'], []],
])('reads %s', (expression, metrics, named) => {
  expect(namesIn(expression)).toEqual({ metrics, labels: named })
})
