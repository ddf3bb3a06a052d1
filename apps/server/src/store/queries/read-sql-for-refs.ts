import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'

/** The SQL of a query on the database for saved queries. Undefined if it is on another database. */
export async function readSqlForRefs(db: Db | Tx, key: { organizationId: string; queryId: string }): Promise<string | undefined> {
  const row = await db
    .selectFrom('queries')
    .innerJoin('analytical_database_configs as config', 'config.id', 'queries.analytical_database_config_id')
    .select('queries.sql')
    .where('queries.organization_id', '=', key.organizationId)
    .where('queries.id', '=', key.queryId)
    .where(sql<boolean>`(config.settings ->> 'readsSavedQueries')::boolean`)
    .executeTakeFirst()
  return row?.sql
}
