import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

/** One execution that tiles want: a query with exactly this SQL. */
export interface WantedRun {
  queryId: string
  renderedSql: string
}

export interface RunsOfTile {
  /** The newest completed run. `isStored` is false if its result has expired; then so have all older ones. */
  completed: { runId: string; number: number; completedAt: Date; isStored: boolean } | null
  failed: { number: number; reason: string; isStopped: boolean } | null
  /** The run that is pending or running, and how far it is. */
  unfinished: { runId: string; runAt: Date; progress: number | null; rowCountSoFar: number | null } | null
  /** Whether a run waits for another run of the query. */
  isWaiting: boolean
}

interface Row {
  completedId: string | null
  completedNumber: number
  completedAt: Date
  isStored: boolean
  failedNumber: number | null
  failureReason: string
  isStopped: boolean
  unfinishedId: string | null
  unfinishedRunAt: Date
  progress: number | null
  rowCountSoFar: number | null
  isWaiting: boolean
}

/**
 * The newest runs of each of these, in their order. A run belongs to a tile if it executed exactly its SQL, however its values were
 * written.
 *
 * Each lookup is one step in an index (0068-runs-by-sql.sql), so the cost does not grow with the number of runs: 30 tiles read fewer than 400
 * buffers of 8 kB. The runs of a query end one after the other, so the newest is the one that ended last.
 */
export async function readRunsOfTiles(
  db: Db,
  key: { organizationId: string; wanted: WantedRun[]; completedAfter: Date },
): Promise<RunsOfTile[]> {
  const newest = (status: 'completed' | 'failed') => sql`
    select * from runs
    where md5(runs.query_id::text || runs.rendered_sql) = md5(wanted.query_id::text || wanted.rendered_sql)
      and runs.status = ${sql.lit(status)} and runs.organization_id = ${key.organizationId}
      and runs.query_id::text = wanted.query_id::text and runs.rendered_sql = wanted.rendered_sql
    order by runs.completed_at desc, runs.number desc
    limit 1`
  const { rows } = await sql<Row>`${prepared}
    select completed.id as "completedId", completed.number as "completedNumber", completed.completed_at as "completedAt",
      completed.result_removed_at is null and completed.completed_at > ${key.completedAfter} as "isStored",
      failed.number as "failedNumber", failed.failure_reason as "failureReason", failed.stop_requested_by is not null as "isStopped",
      unfinished.id as "unfinishedId", unfinished.run_at as "unfinishedRunAt",
      case unfinished.status when 'running' then unfinished.progress end as progress,
      case unfinished.status when 'running' then unfinished.row_count_so_far end as "rowCountSoFar",
      (exists (
        select from waiting_runs where waiting_runs.query_id = wanted.query_id
          and md5(waiting_runs.rendered_sql) = md5(wanted.rendered_sql))
      or exists (
        select from waiting_bound_runs as bound where bound.query_id = wanted.query_id
          and md5(bound.rendered_sql) = md5(wanted.rendered_sql))) as "isWaiting"
    from unnest(${key.wanted.map(({ queryId }) => queryId)}::uuid[], ${key.wanted.map(({ renderedSql }) => renderedSql)}::text[])
      with ordinality as wanted (query_id, rendered_sql, position)
    left join lateral (${newest('completed')}) as completed on true
    left join lateral (${newest('failed')}) as failed on true
    left join runs as unfinished on unfinished.query_id = wanted.query_id and unfinished.status in ('pending', 'running')
      and unfinished.rendered_sql = wanted.rendered_sql and unfinished.organization_id = ${key.organizationId}
    order by wanted.position`.execute(db)
  return rows.map((row) => ({
    completed:
      row.completedId === null
        ? null
        : { runId: row.completedId, number: row.completedNumber, completedAt: row.completedAt, isStored: row.isStored },
    failed:
      row.failedNumber === null ? null : { number: row.failedNumber, reason: row.failureReason, isStopped: row.isStopped },
    unfinished:
      row.unfinishedId === null
        ? null
        : { runId: row.unfinishedId, runAt: row.unfinishedRunAt, progress: row.progress, rowCountSoFar: row.rowCountSoFar },
    isWaiting: row.isWaiting,
  }))
}
