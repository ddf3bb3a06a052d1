import type { DbtImport, DbtMetric } from '../../../model/dbt.ts'
import { wordsIn } from '../../catalog/search-words.ts'

export interface FoundDbtMetric extends DbtMetric {
  databaseId: string
  project: string
}

/** The metrics of dbt projects that have some of the words, best first: words of the name and label count most. */
export function findDbtMetrics(imports: readonly DbtImport[], { asked, count }: { asked: string[]; count: number }): FoundDbtMetric[] {
  const ranked = imports.flatMap(({ metrics, databaseId, project }) =>
    metrics.map((metric) => ({ metric: Object.assign({}, metric, { databaseId, project }), rank: rankOf(metric, asked) })),
  )
  return ranked
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank || (a.metric.name < b.metric.name ? -1 : 1))
    .slice(0, count)
    .map(({ metric }) => metric)
}

const has = (words: string[], word: string) => words.some((other) => other.startsWith(word))

function rankOf({ name, label, description }: DbtMetric, asked: string[]): number {
  const [named, described] = [wordsIn(`${name} ${label}`), wordsIn(description)]
  return asked.reduce((sum, word) => sum + (has(named, word) ? 3 : has(described, word) ? 1 : 0), 0)
}
