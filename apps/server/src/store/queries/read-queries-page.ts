import { sql } from 'kysely'
import type { PageRead, PageRows } from '../../domain/pagination/page.ts'
import type { ListedQuery } from '../../domain/queries/query.ts'
import type { Db } from '../db.ts'
import type { RunStatus } from '../schema.ts'
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
 * A first page takes the snapshot of this very statement, so what it shows and what its cursor remembers cannot differ. The
 * rows come in index order and the scan ends at the limit; the latest run is one index probe a row. Queries are never changed
 * or deleted, so the only rows skipped are those that committed after the snapshot.
 */
export async function readQueriesPage(db: Db, page: PageRead): Promise<PageRows<ListedQuery> | 'snapshot_unknown'> {
  const { from } = page
  const isAfter = from
    ? sql`and (created_at, id) < (${from.after.createdAt}::timestamptz, ${from.after.id}::uuid)
          and ${visibleIn(from.snapshot, sql`created_xid`)}`
    : sql``
  const runWasThere = from ? sql`and ${visibleIn(from.snapshot, sql`created_xid`)}` : sql``
  const runStatus = from
    ? sql`case when ${visibleIn(from.snapshot, sql`ended_xid`)} then status
               when ${visibleIn(from.snapshot, sql`started_xid`)} then 'running'
               else 'pending' end`
    : sql`status`
  const { rows } = await sql<Row>`
    select moment.snapshot, moment.is_known, query.*, run.*
    from (${snapshotOfPage(from?.snapshot)}) as moment
    left join lateral (
      select id, sql, analytical_database_config_id, created_by, created_at, updated_at,
             ${exactText(sql`created_at`)} as created_at_text
      from queries
      where organization_id = ${page.organizationId} ${isAfter}
      order by created_at desc, id desc
      limit ${page.count}
    ) as query on true
    left join lateral (
      select id as run_id, ${runStatus} as run_status, run_at
      from runs
      where query_id = query.id ${runWasThere}
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
