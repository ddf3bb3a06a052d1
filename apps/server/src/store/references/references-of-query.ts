import type { Db } from '../db.ts'

/** Enough of a reference to lead to its page. */
export interface ReferenceLink {
  shortId: string
  title: string
}

/** More than anybody reads; a query with so many is one that a program made. */
const most = 100

/** The living references that point to a query, oldest first. */
export async function listReferencesOfQuery(
  db: Db,
  key: { organizationId: string; queryId: string },
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
    .limit(most)
    .execute()
}
