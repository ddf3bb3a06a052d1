import { sql } from 'kysely'
import type { MetricContent } from '../../model/knowledge.ts'
import type { Db } from '../db.ts'
import { rankOf } from '../catalog/find-tables.ts'

export interface FoundMetric {
  itemId: string
  content: MetricContent
}

/** The metrics that match the words (as a `tsquery`), best first. */
export async function findMetrics(
  db: Db,
  search: { organizationId: string; words: string; count: number },
): Promise<FoundMetric[]> {
  const words = sql`${search.words}::tsquery`
  const { rows } = await sql<FoundMetric>`
    select id as "itemId", content
    from knowledge_items
    where organization_id = ${search.organizationId} and words @@ ${words}
    order by ${rankOf(words)} desc, lower(content ->> 'name'), id
    limit ${search.count}`.execute(db)
  return rows
}
