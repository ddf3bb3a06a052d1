import { sql } from 'kysely'
import type { Visualization } from '@querypost/visualization'
import type { ParameterDefinition } from '../../model/parameter.ts'
import type { ItemKey } from '../../model/page.ts'
import type { Db } from '../db.ts'
import { exactText } from '../snapshot.ts'

export interface SavedQueryRow {
  shortId: string
  title: string
  description: string | null
  folderId: string | null
  freshForSeconds: number | null
  visualization: Visualization | null
  parameters: ParameterDefinition[]
  sql: string
  databaseName: string
}

/** The saved queries of an organization that have SQL, newest first. The database may have been deleted. */
export async function readSavedQueriesPage(
  db: Db,
  page: { organizationId: string; after?: ItemKey; count: number },
): Promise<{ item: SavedQueryRow; key: ItemKey }[]> {
  const { after } = page
  const rows = await db
    .selectFrom('query_references as reference')
    .innerJoin('queries', 'queries.id', 'reference.stored_query_id')
    .innerJoin('analytical_database_configs as database', 'database.id', 'queries.analytical_database_config_id')
    .where('reference.organization_id', '=', page.organizationId)
    .where('reference.deleted_at', 'is', null)
    .where('reference.is_optimistic', '=', false)
    .select([
      'reference.short_id as shortId',
      'reference.title',
      'reference.description',
      'reference.folder_id as folderId',
      'reference.fresh_for_seconds as freshForSeconds',
      'reference.visualization',
      'reference.parameters',
      'queries.sql',
      'database.name as databaseName',
    ])
    .select(['reference.id', exactText(sql`reference.created_at`).as('createdAt')])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(reference.created_at, reference.id) < (${after?.createdAt}::timestamptz, ${after?.id})`),
    )
    .orderBy('reference.created_at', 'desc')
    .orderBy('reference.id', 'desc')
    .limit(page.count)
    .execute()
  return rows.map(({ id, createdAt, ...item }) => ({ item, key: { createdAt, id } }))
}
