import type { Db, Tx } from '../db.ts'

/** What a link to a reference needs. */
export interface ReferenceLink {
  shortId: string
  title: string
}

/** More than a person would read. A query with that many references was created by a program. */
const maxReferences = 100

/** The references (not deleted) that point to a query, oldest first. */
export async function listReferencesOfQuery(
  db: Db | Tx,
  key: { organizationId: string; queryId: string; count?: number },
): Promise<ReferenceLink[]> {
  return db
    .selectFrom('query_references')
    .select(['short_id as shortId', 'title'])
    .where('organization_id', '=', key.organizationId)
    .where('query_id', '=', key.queryId)
    .where('is_optimistic', '=', false)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(key.count ?? maxReferences)
    .execute()
}
