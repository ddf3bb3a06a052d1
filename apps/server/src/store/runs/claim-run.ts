import { sql } from 'kysely'
import type { AnalyticalDatabase } from '../../domain/databases/database.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

/** A run in the hands of one worker, until its lease expires. */
export interface ClaimedRun {
  id: string
  organizationId: string
  queryId: string
  /** Where it runs, read with the claim: a worker needs nothing else to begin. */
  database: Pick<AnalyticalDatabase, 'id' | 'organizationId' | 'engine' | 'settings'>
  renderedSql: string
}

interface Row extends Omit<ClaimedRun, 'database'> {
  databaseId: string
  engine: AnalyticalDatabase['engine']
  settings: AnalyticalDatabase['settings']
}

/**
 * Takes the oldest pending run whose database has room at this worker, and makes it running. `skip locked` lets many workers
 * claim at the same time without waiting for one another.
 */
export async function claimRun(
  db: Db,
  options: { workerId: string; now: Date; leaseExpiresAt: Date; fullDatabaseConfigIds: string[] },
): Promise<ClaimedRun | undefined> {
  const { rows } = await sql<Row>`${prepared}
    update runs
    set status = 'running', started_at = ${options.now}, started_xid = pg_current_xact_id(),
        lease_owner = ${options.workerId}, lease_expires_at = ${options.leaseExpiresAt}
    from queries join analytical_database_configs as config on config.id = queries.analytical_database_config_id
    where queries.id = runs.query_id and runs.id = (
      select pending.id
      from runs as pending join queries on queries.id = pending.query_id
      where pending.status = 'pending'
        and queries.analytical_database_config_id <> all (${options.fullDatabaseConfigIds}::text[])
      order by pending.run_at, pending.id
      limit 1
      for update of pending skip locked)
    returning runs.id, runs.organization_id as "organizationId", runs.query_id as "queryId",
      config.id as "databaseId", config.engine, config.settings, runs.rendered_sql as "renderedSql"`.execute(db)
  if (!rows[0]) return undefined
  const { databaseId, engine, settings, ...run } = rows[0]
  return { ...run, database: { id: databaseId, organizationId: run.organizationId, engine, settings } }
}
