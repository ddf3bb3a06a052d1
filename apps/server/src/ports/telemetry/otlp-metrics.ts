import { keyValues, nanoseconds, type Resource, resourceOf, scopeOf } from './otlp-json.ts'

type Labels = Partial<Record<string, string | number>>

/** A metric as Prometheus' client library lists it. */
export interface ListedMetric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram' | 'summary'
  values: readonly { value: number; labels: Labels; metricName?: string }[]
}

interface Times {
  /** Since when the counters count. */
  startedAt: Date
  now: Date
}

/** Counters only grow until the process ends: their totals are sent, not differences. */
const cumulative = 2

/** The metrics of `/metrics`, under the same names. */
export function encodeMetrics(resource: Resource, metrics: readonly ListedMetric[], times: Times): string {
  const sent = metrics.filter(({ values }) => values.length > 0).map((metric) => encodeMetric(metric, times))
  const scopeMetrics = [{ scope: scopeOf(resource), metrics: sent }]
  return JSON.stringify({ resourceMetrics: [{ resource: resourceOf(resource), scopeMetrics }] })
}

function encodeMetric(metric: ListedMetric, times: Times) {
  const described = { name: metric.name, description: metric.help, ...(metric.name.includes('_seconds') && { unit: 's' }) }
  switch (metric.type) {
    case 'counter':
      return { ...described, sum: { dataPoints: numberPoints(metric, times), aggregationTemporality: cumulative, isMonotonic: true } }
    case 'gauge':
      return { ...described, gauge: { dataPoints: numberPoints(metric, times) } }
    case 'histogram':
      return { ...described, histogram: { dataPoints: histogramPoints(metric, times), aggregationTemporality: cumulative } }
    case 'summary':
      return { ...described, summary: { dataPoints: summaryPoints(metric, times) } }
  }
}

/** The part that all data points have. */
const pointOf = (labels: Labels, { startedAt, now }: Times) => ({
  attributes: keyValues(labels),
  startTimeUnixNano: nanoseconds(startedAt.getTime()),
  timeUnixNano: nanoseconds(now.getTime()),
})

const numberPoints = ({ values }: ListedMetric, times: Times) =>
  values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => Object.assign(pointOf(labels, times), { asDouble: value }))

/** Prometheus lists buckets, sum and count as separate values, and each bucket includes the smaller ones. */
function histogramPoints(metric: ListedMetric, times: Times) {
  return series(metric, 'le').map(({ labels, steps, sum, count }) => {
    const buckets = steps.filter(({ step }) => step !== '+Inf')
    const upTo = [...buckets.map(({ value }) => value), count]
    return Object.assign(pointOf(labels, times), {
      count: String(count),
      sum,
      explicitBounds: buckets.map(({ step }) => Number(step)),
      bucketCounts: upTo.map((value, index) => String(value - (upTo[index - 1] ?? 0))),
    })
  })
}

function summaryPoints(metric: ListedMetric, times: Times) {
  return series(metric, 'quantile').map(({ labels, steps, sum, count }) =>
    Object.assign(pointOf(labels, times), {
      count: String(count),
      sum,
      quantileValues: steps.map(({ step, value }) => ({ quantile: Number(step), value })),
    }),
  )
}

interface Series {
  labels: Labels
  steps: { step: string; value: number }[]
  sum: number
  count: number
}

/** The values of a metric, grouped by all labels except the one that numbers its steps. */
function series({ name, values }: ListedMetric, stepLabel: 'le' | 'quantile'): Series[] {
  const found = new Map<string, Series>()
  for (const { value, labels: { [stepLabel]: step, ...labels }, metricName } of values) {
    const key = JSON.stringify(labels)
    const one = found.get(key) ?? { labels, steps: [], sum: 0, count: 0 }
    found.set(key, one)
    if (step !== undefined) one.steps.push({ step: String(step), value })
    else if (metricName === `${name}_sum`) one.sum = value
    else if (metricName === `${name}_count`) one.count = value
  }
  return [...found.values()]
}
