import type { Metric } from '../domain/knowledge/metric-definitions.ts'

export function presentMetric({ id, version, changedBy, changedAt, content: { kind: _, ...metric } }: Metric) {
  return { id, ...metric, version, changedBy, changedAt: changedAt.toISOString() }
}
