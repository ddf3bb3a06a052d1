import { sql } from 'kysely'
import type { ListDetails, Reference } from '../../model/reference.ts'
import type { Db } from '../db.ts'
import type { RunStatus } from '../../model/run.ts'
import { visibleIn } from '../snapshot.ts'

interface Row {
  reference_id: string
  created_by_name: string
  visualization_type: ListDetails['visualizationType']
  analytical_database_config_id: string | null
  run_id: string | null
  run_status: RunStatus
  run_at: Date
  run_completed_at: Date | null
}

/**
 * What a list shows in addition to the references: a few index lookups each. With a snapshot, the latest run is the one at that
 * moment, like the references.
 */
export async function readListDetails(
  db: Db,
  options: { references: Reference[]; snapshot?: string },
): Promise<Map<string, ListDetails>> {
  const { references, snapshot } = options
  const hasEnded = snapshot === undefined ? sql`true` : visibleIn(snapshot, sql`ended_xid`)
  const status =
    snapshot === undefined
      ? sql`status`
      : sql`case when ${hasEnded} then status when ${visibleIn(snapshot, sql`started_xid`)} then 'running' else 'pending' end`
  const existed = snapshot === undefined ? sql`` : sql`and ${visibleIn(snapshot, sql`created_xid`)}`
  const { rows } = await sql<Row>`
    select listed.reference_id, run.*,
      (select name from users where users.id = listed.created_by) as created_by_name,
      (select visualization ->> 'type' from query_references where id = listed.reference_id) as visualization_type,
      (select analytical_database_config_id from queries where id = listed.query_id) as analytical_database_config_id
    from unnest(
      ${references.map(({ id }) => id)}::text[],
      ${references.map(({ currentQuery }) => currentQuery.id)}::uuid[],
      ${references.map(({ createdBy }) => createdBy)}::text[]) as listed (reference_id, query_id, created_by)
    left join lateral (
      select id as run_id, ${status} as run_status, run_at, case when ${hasEnded} then completed_at end as run_completed_at
      from runs where query_id = listed.query_id ${existed} order by number desc limit 1
    ) as run on true`.execute(db)
  return new Map(rows.map((row) => [row.reference_id, present(row)]))
}

const present = (row: Row): ListDetails => ({
  createdByName: row.created_by_name,
  analyticalDatabaseConfigId: row.analytical_database_config_id,
  visualizationType: row.visualization_type,
  latestRun:
    row.run_id === null
      ? null
      : { id: row.run_id, status: row.run_status, runAt: row.run_at, completedAt: row.run_completed_at },
})
