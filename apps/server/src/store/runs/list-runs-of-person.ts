import { sql } from 'kysely'
import type { Run } from '../../model/run.ts'
import type { Db } from '../db.ts'
import type { ReferenceLink } from '../references/references-of-query.ts'
import { runColumns, runOfRow } from './runs-table.ts'

/** A run with the oldest living reference of its query, if it has one. */
export type RunOfPerson = Run & { reference: ReferenceLink | null }

/** The latest runs that a person started at the pages, newest first. */
export async function listRunsOfPerson(
  db: Db,
  key: { organizationId: string; userId: string; count: number },
): Promise<RunOfPerson[]> {
  const rows = await db
    .selectFrom('runs')
    .select(runColumns)
    .select(
      sql<ReferenceLink | null>`(
        select jsonb_build_object('shortId', short_id, 'title', title)
        from query_references
        where organization_id = ${key.organizationId} and query_id = runs.query_id and not is_optimistic and deleted_at is null
        order by created_at, id
        limit 1)`.as('reference'),
    )
    .where('organization_id', '=', key.organizationId)
    .where('trigger_id', '=', key.userId)
    .orderBy('run_at', 'desc')
    .orderBy('id', 'desc')
    .limit(key.count)
    .execute()
  return rows.map((row) => Object.assign(runOfRow(row), { reference: row.reference }))
}
