import type { ItemKey } from '../../model/page.ts'
import type { Reference } from '../../model/reference.ts'

/** A reference as the list statements return it. */
export interface ListedReference {
  id: string
  short_id: string
  title: string
  description: string | null
  is_optimistic: boolean
  query_id: string
  created_by: string
  created_at: Date
  updated_at: Date
  created_at_text: string
  /** Null while the query does not exist. */
  query_sql: string | null
}

export function presentListed(row: ListedReference): { item: Reference; key: ItemKey } {
  return {
    item: {
      id: row.id,
      shortId: row.short_id,
      title: row.title,
      description: row.description,
      isOptimistic: row.is_optimistic,
      createdBy: row.created_by,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      // While the reference was optimistic, its query did not exist, even if it does now.
      currentQuery: { id: row.query_id, sql: row.is_optimistic ? '' : row.query_sql! },
    },
    key: { createdAt: row.created_at_text, id: row.id },
  }
}
