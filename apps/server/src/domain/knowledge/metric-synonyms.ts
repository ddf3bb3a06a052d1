import type { MetricContent } from '../../model/knowledge.ts'

/** For each name of a metric, its other names: a column that is called like one of them may be called by any. */
export function metricSynonyms(metrics: Pick<MetricContent, 'name' | 'synonyms'>[]): Record<string, string[]> {
  const synonyms = new Map<string, string[]>()
  for (const { name, synonyms: others } of metrics) {
    const names = [name, ...others]
    for (const each of names) synonyms.set(each, [...(synonyms.get(each) ?? []), ...names.filter((other) => other !== each)])
  }
  return Object.fromEntries(synonyms)
}
