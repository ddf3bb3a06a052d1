import type { Visualization } from '@querypost/visualization'
import type { ParameterDefinition } from '../../model/parameter.ts'
import type { Db } from '../db.ts'

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

/** All saved queries of an organization that have SQL. The database may have been deleted. */
export async function readSavedQueries(db: Db, organizationId: string): Promise<SavedQueryRow[]> {
  return db
    .selectFrom('query_references as reference')
    .innerJoin('queries', 'queries.id', 'reference.stored_query_id')
    .innerJoin('analytical_database_configs as database', 'database.id', 'queries.analytical_database_config_id')
    .where('reference.organization_id', '=', organizationId)
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
    .execute()
}
