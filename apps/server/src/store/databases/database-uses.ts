import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { DatabaseKey } from './databases.ts'

/** What stands in the way of deleting a database. */
export interface DatabaseUses {
  /** References, not deleted, whose current query runs against it. */
  savedQueryCount: number
  /** Pending and running. */
  unfinishedRunCount: number
}

export async function countDatabaseUses(db: Db | Tx, { organizationId, configId }: DatabaseKey): Promise<DatabaseUses> {
  const { rows } = await sql<{ savedQueryCount: string; unfinishedRunCount: string }>`
    select
      (select count(*) from query_references as reference join queries on queries.id = reference.stored_query_id
       where reference.organization_id = ${organizationId} and reference.deleted_at is null
         and queries.analytical_database_config_id = ${configId}) as "savedQueryCount",
      (select count(*) from runs join queries on queries.id = runs.query_id
       where runs.status in ('pending', 'running')
         and queries.analytical_database_config_id = ${configId}) as "unfinishedRunCount"`.execute(db)
  const { savedQueryCount, unfinishedRunCount } = rows[0]!
  return { savedQueryCount: Number(savedQueryCount), unfinishedRunCount: Number(unfinishedRunCount) }
}
