import { sql } from 'kysely'
import type { PageRead, PageRows } from '../../model/page.ts'
import type { ListedQuery } from '../../model/query.ts'
import type { Db } from '../db.ts'
import type { RunStatus } from '../../model/run.ts'
import { exactText, snapshotOfPage, visibleIn } from '../snapshot.ts'

interface Row {
  snapshot: string
  is_known: boolean
  id: string | null
  sql: string
  analytical_database_config_id: string
  created_by: string
  created_at: Date
  updated_at: Date
  created_at_text: string
  run_id: string | null
  run_status: RunStatus
  run_at: Date
}

/**
 * One page of an organization's queries, newest first, as of one snapshot.
 *
 * A first page uses the snapshot of this statement, so its rows and its cursor cannot differ. Rows come in index order, and the
 * scan ends at the limit; the latest run is one index lookup per row. Queries never change, so only those committed after the
 * snapshot are skipped. A later page also includes queries that expired since, starting with the oldest of them; queries that
 * expired before the snapshot cost nothing.
 */
export async function readQueriesPage(db: Db, page: PageRead): Promise<PageRows<ListedQuery> | 'snapshot_unknown'> {
  const { from } = page
  const runExisted = from ? sql`and ${visibleIn(from.snapshot, sql`created_xid`)}` : sql``
  const runStatus = from
    ? sql`case when ${visibleIn(from.snapshot, sql`ended_xid`)} then status
               when ${visibleIn(from.snapshot, sql`started_xid`)} then 'running'
               else 'pending' end`
    : sql`status`
  const { rows } = await sql<Row>`
    select moment.snapshot, moment.is_known, query.*, run.*
    from (${snapshotOfPage(from?.snapshot)}) as moment
    left join lateral (
      ${from ? laterPage(page, from) : firstPage(page)}
    ) as query on true
    left join lateral (
      select id as run_id, ${runStatus} as run_status, run_at
      from runs
      where query_id = query.id ${runExisted}
      order by number desc
      limit 1
    ) as run on true
    order by query.created_at desc, query.id desc`.execute(db)
  if (!rows[0]!.is_known) return 'snapshot_unknown'
  return {
    snapshot: rows[0]!.snapshot,
    rows: rows
      .filter((row) => row.id !== null)
      .map((row) => ({ item: present(row), key: { createdAt: row.created_at_text, id: row.id! } })),
  }
}

const columns = sql`id, sql, analytical_database_config_id, created_by, created_at, updated_at,
  ${exactText(sql`created_at`)} as created_at_text`

function firstPage(page: PageRead) {
  return sql`
    select ${columns} from queries
    where organization_id = ${page.organizationId} and expired_at is null
    order by created_at desc, id desc
    limit ${page.count}`
}

function laterPage(page: PageRead, from: NonNullable<PageRead['from']>) {
  const existed = sql`organization_id = ${page.organizationId}
    and (created_at, id) < (${from.after.createdAt}::timestamptz, ${from.after.id}::uuid)
    and ${visibleIn(from.snapshot, sql`created_xid`)}`
  const inOrder = sql`order by created_at desc, id desc limit ${page.count}`
  const oldestSeenXid = sql`pg_snapshot_xmin(${from.snapshot}::pg_snapshot)`
  // "offset 0" keeps the planner from searching in creation order, past all queries that expired before.
  const oldestExpiredSince = sql`
    select min(created_at) from (
      select created_at from queries
      where organization_id = ${page.organizationId} and expired_at is not null and expired_xid >= ${oldestSeenXid}
      offset 0) as expired`
  return sql`
    (select ${columns} from queries where ${existed} and expired_at is null ${inOrder})
    union all
    (select ${columns} from queries
    where ${existed} and expired_at is not null and expired_xid >= ${oldestSeenXid}
      and not ${visibleIn(from.snapshot, sql`expired_xid`)} and created_at >= (${oldestExpiredSince})
    ${inOrder})
    ${inOrder}`
}

function present(row: Row): ListedQuery {
  return {
    id: row.id!,
    sql: row.sql,
    analyticalDatabaseConfigId: row.analytical_database_config_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    latestRun: row.run_id === null ? null : { id: row.run_id, status: row.run_status, runAt: row.run_at },
  }
}
