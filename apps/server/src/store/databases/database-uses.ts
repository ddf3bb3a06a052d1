import { sql } from 'kysely'
import type { LinkedReference } from '../../model/lineage.ts'
import type { Db, Tx } from '../db.ts'
import type { DatabaseKey } from './databases-table.ts'

/** The uses that prevent a database from being deleted. */
export interface DatabaseUses {
  savedQueryCount: number
  /** The newest of them. */
  savedQueries: LinkedReference[]
  /** Whether a run is pending or running. */
  hasUnfinishedRun: boolean
}

/** Saved queries are counted up to this number, so that a heavily used database costs no more to show than any other. */
export const savedQueryCountMax = 1000

/**
 * Counts references (not deleted) whose current query runs against the database, up to `savedQueryCountMax`. The search table has one
 * row for each, with its database in an index; the references themselves would have to be read one by one, with their queries.
 * The order matches the index: without it, the planner may scan the table and skip the rows of all other organizations.
 */
export async function countSavedQueries(db: Db | Tx, { organizationId, configId }: DatabaseKey): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (
      select from query_reference_search
      where organization_id = ${organizationId} and analytical_database_config_id = ${configId}
      order by created_at desc, reference_id desc
      limit ${savedQueryCountMax}) as counted`.execute(db)
  return rows[0]!.count
}

export async function readDatabaseUses(tx: Tx, key: DatabaseKey): Promise<DatabaseUses> {
  return {
    savedQueryCount: await countSavedQueries(tx, key),
    savedQueries: await readNewestSavedQueries(tx, key),
    hasUnfinishedRun: await hasUnfinishedRun(tx, key),
  }
}

const listedMax = 20

async function readNewestSavedQueries(tx: Tx, { organizationId, configId }: DatabaseKey): Promise<LinkedReference[]> {
  const { rows } = await sql<LinkedReference>`
    select reference.short_id as "shortId", reference.title
    from (
      select reference_id, created_at from query_reference_search
      where organization_id = ${organizationId} and analytical_database_config_id = ${configId}
      order by created_at desc, reference_id desc
      limit ${listedMax}) as newest
    cross join lateral (select short_id, title from query_references where id = newest.reference_id limit 1) as reference
    order by newest.created_at desc, newest.reference_id desc`.execute(tx)
  return rows
}

/** Pending runs are found by their database. Running ones are few, so each is checked. */
async function hasUnfinishedRun(tx: Tx, { organizationId, configId }: DatabaseKey): Promise<boolean> {
  const { rows } = await sql<{ isFound: boolean }>`
    select
      (select id from runs
       where status = 'pending' and organization_id = ${organizationId} and analytical_database_config_id = ${configId}
       order by run_at, id limit 1) is not null
      or exists (
        select from runs
        where status = 'running'
          and (select analytical_database_config_id from queries where queries.id = runs.query_id) = ${configId}) as "isFound"`.execute(tx)
  return rows[0]!.isFound
}
