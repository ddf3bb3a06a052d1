import type { FoundMetric } from '../../store/knowledge/find-metrics.ts'
import type { FoundDbtMetric } from './dbt/find-dbt-metrics.ts'
import type { VerifiedReference } from '../../store/knowledge/verified-queries.ts'
import type { DescribedTable } from './table-descriptions.ts'

/** What an organization knows that may be relevant to a question, best first. */
export interface KnowledgeCandidates {
  /** Those of the organization first, then those of databases. Empty ones are left out. */
  instructions: { database: { id: string; name: string } | null; text: string }[]
  metrics: FoundMetric[]
  /** Without those that an own metric has the name of. */
  dbtMetrics: FoundDbtMetric[]
  /** Only those whose SQL has not changed since. */
  verifiedQueries: VerifiedReference[]
  tables: DescribedTable[]
}
