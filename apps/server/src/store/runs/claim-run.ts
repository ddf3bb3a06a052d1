import { sql } from 'kysely'
import type { AnalyticalDatabase, ConfiguredDatabase } from '../../model/database.ts'
import type { RowRule } from '../../model/row-rule.ts'
import { engineConfigOf } from '../databases/databases-table.ts'
import type { Db } from '../db.ts'
import { answeredEarly, commitOf, prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'

/** A run leased to one worker. */
export interface ClaimedRun {
  id: string
  leaseNumber: number
  organizationId: string
  queryId: string
  /** The database it runs on, as configured at the claim. A worker needs nothing else to begin. */
  database: ConfiguredDatabase
  /** The database was deleted after the run was requested. */
  isDatabaseDeleted: boolean
  renderedSql: string
  /** False if no other run was pending at the claim. */
  isMorePending: boolean
  /** See `Item` in work/kind.ts. */
  committed?: Promise<void> | undefined
  traceparent?: string | null
  rowBindings?: string | null
  /** Of the database, at the claim. */
  rowRules?: RowRule[] | null
}

export interface ClaimOptions {
  workerId: string
  leaseMs: number
  /** Databases without capacity left on this worker. */
  fullDatabaseConfigIds: string[]
  /** How many runs of each organization this worker holds. Organizations with none may be left out. */
  runCountsByOrganization?: ReadonlyMap<string, number>
  /** Claims only runs of organizations with none in hand. */
  onlyNewOrganizations?: boolean
}

export interface RunClaim {
  run: ClaimedRun | undefined
  /** When the oldest pending run was requested, including the claimed one; null if there is none. */
  earliestRunAt: Date | null
  /** The store's time of the claim. */
  claimedAt: Date
}

interface Row extends Omit<ClaimedRun, 'id' | 'database'>, Omit<RunClaim, 'run'> {
  /** Null if there is nothing to claim. */
  id: string | null
  databaseId: string
  engine: AnalyticalDatabase['engine']
  settings: AnalyticalDatabase['settings']
  sealed_password: Uint8Array | null
  revision: number
}

/** A run that waits for its inputs is not claimed. A failed input does not delay it: then the run fails, too. */
const hasItsInputs = sql`(
  not exists (select from run_inputs where run_id = runs.id and status = 'waiting')
  or exists (select from run_inputs where run_id = runs.id and status = 'failed'))`

/**
 * Claims a pending run whose database has capacity on this worker and marks it as running: the oldest run of the organization with
 * the fewest runs in hand. `skip locked` lets many workers claim at the same time without waiting for one another.
 *
 * The cost grows with the number of databases that have pending runs, by one step in `runs_pending_by_database` each. It does not
 * grow with the number of pending or finished runs. With 100,000 pending runs of one database and 50 each of 19 others, a claim
 * takes 0.9 ms, whether that database is full or not.
 *
 * Runs requested before `runFrom` are skipped within the index. While an old snapshot is open (for example by a backup), index
 * entries of runs that ended since cannot be removed; `claim-floor.ts` explains how a claim gets past them.
 *
 * The run is returned while its claim is committed, so that the engine starts while PostgreSQL waits for the disk.
 */
export async function claimRun(db: Db, options: ClaimOptions & { runFrom?: Date }): Promise<RunClaim> {
  const { runCountsByOrganization = new Map<string, number>(), onlyNewOrganizations = false, runFrom = new Date(0) } = options
  const { rows } = await sql<Row>`${answeredEarly} ${prepared}
    with recursive oldest as (
      (select organization_id, analytical_database_config_id as config_id, run_at, id
       from runs where status = 'pending' and run_at >= ${runFrom} and ${hasItsInputs}
       order by organization_id, analytical_database_config_id, run_at, id limit 1)
      union all
      select following.* from oldest cross join lateral (
        select organization_id, analytical_database_config_id as config_id, run_at, id
        from runs
        where status = 'pending'
          and (organization_id, analytical_database_config_id) > (oldest.organization_id, oldest.config_id)
          and run_at >= ${runFrom} and ${hasItsInputs}
        order by organization_id, analytical_database_config_id, run_at, id limit 1) as following
    ), turns as (
      select oldest.organization_id, oldest.config_id, oldest.run_at
      from oldest left join
        unnest(${[...runCountsByOrganization.keys()]}::text[], ${[...runCountsByOrganization.values()]}::int[]) as held (organization_id, run_count)
        using (organization_id)
      where oldest.config_id <> all (${options.fullDatabaseConfigIds}::text[])
        and (coalesce(held.run_count, 0) = 0 or not ${onlyNewOrganizations})
      order by coalesce(held.run_count, 0), oldest.run_at, oldest.id
    ), chosen as (
      select pending.id, turns.*
      from turns cross join lateral (
        select runs.id from runs
        where runs.status = 'pending' and runs.organization_id = turns.organization_id
          and runs.analytical_database_config_id = turns.config_id and runs.run_at >= turns.run_at and ${hasItsInputs}
        order by runs.run_at, runs.id limit 1
        for update skip locked) as pending
      limit 1
    ), claimed as (
      update runs
      set status = 'running', started_at = ${storeNow}, started_xid = pg_current_xact_id(),
          lease_number = lease_number + 1, lease_owner = ${options.workerId}, lease_expires_at = ${storeNowPlus(options.leaseMs)}
      from queries join analytical_database_configs as config on config.id = queries.analytical_database_config_id
      where queries.id = runs.query_id and runs.id = (select id from chosen)
      returning runs.id, runs.lease_number as "leaseNumber", runs.organization_id as "organizationId", runs.query_id as "queryId",
        config.id as "databaseId", config.engine, config.settings, config.sealed_password, config.revision,
        config.deleted_at is not null as "isDatabaseDeleted", runs.rendered_sql as "renderedSql", runs.traceparent,
        runs.row_bindings as "rowBindings", config.row_rules as "rowRules"
    )
    select claimed.*, (select min(run_at) from oldest) as "earliestRunAt", ${storeNow} as "claimedAt",
      (select count(*) from oldest) > 1 or exists (
        select from chosen join runs as other
          on other.organization_id = chosen.organization_id and other.analytical_database_config_id = chosen.config_id
        where other.status = 'pending' and other.run_at >= chosen.run_at and other.id <> chosen.id) as "isMorePending"
    from (select) as always left join claimed on true`.execute(db)
  const { earliestRunAt, claimedAt, databaseId, engine, settings, sealed_password, revision, ...claimed } = rows[0]!
  const { id, organizationId } = claimed
  if (id === null) return { run: undefined, earliestRunAt, claimedAt }
  const database = { id: databaseId, organizationId, revision, ...engineConfigOf({ engine, settings, sealed_password }) }
  return { run: { ...claimed, id, database, committed: commitOf(rows) }, earliestRunAt, claimedAt }
}
