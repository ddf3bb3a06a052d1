import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface ReferenceResult {
  shortId: string
  title: string
  /** The newest run whose result is stored; null if there is none. */
  runId: string | null
  rowCount: number | null
}

/** The references of an organization, those with the newest results first. */
export async function listReferenceResults(
  db: Db,
  key: { organizationId: string; completedAfter: Date; count: number },
): Promise<ReferenceResult[]> {
  const { rows } = await sql<ReferenceResult>`
    select reference.short_id as "shortId", reference.title, run.id as "runId", run.row_count as "rowCount"
    from query_references as reference
    left join lateral (
      select id, row_count, completed_at from runs
      where query_id = reference.query_id and status = 'completed' and result_removed_at is null and completed_at > ${key.completedAfter}
      order by number desc limit 1) as run on true
    where reference.organization_id = ${key.organizationId} and reference.deleted_at is null and not reference.is_optimistic
    order by run.completed_at desc nulls last, reference.created_at desc
    limit ${key.count}`.execute(db)
  return rows
}
