import type { Run } from '../../model/run.ts'
import type { Db } from '../db.ts'
import { runOfRow, runColumns } from './runs-table.ts'

/** A query may have a long history, but all except the newest runs are too old anyway. */
const recentRuns = 50

/**
 * A run that makes a new one unnecessary: with exactly this SQL, pending or begun at or after `notBefore`, and with a result that
 * is still stored or a failure caused by the SQL. A run that was stopped, or that failed for one of the `transientReasons`, says
 * nothing about the SQL. A completed run is preferred over an unfinished one.
 */
export async function findUsableRun(
  db: Db,
  key: {
    organizationId: string
    queryId: string
    renderedSql: string
    notBefore: Date
    completedAfter: Date
    transientReasons: string[]
  },
): Promise<Run | undefined> {
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('runs')
        .selectAll()
        .where('organization_id', '=', key.organizationId)
        .where('query_id', '=', key.queryId)
        .orderBy('number', 'desc')
        .limit(recentRuns)
        .as('runs'),
    )
    .select(runColumns)
    .where('rendered_sql', '=', key.renderedSql)
    .where((run) =>
      run.or([
        run('status', '=', 'pending'),
        run.and([
          run('started_at', '>=', key.notBefore),
          run.or([
            run.and([run('status', '=', 'running'), run('stop_requested_by', 'is', null)]),
            run.and([
              run('status', '=', 'completed'),
              run('completed_at', '>', key.completedAfter),
              run('result_removed_at', 'is', null),
            ]),
            run.and([
              run('status', '=', 'failed'),
              run('stop_requested_by', 'is', null),
              run('failure_reason', 'not in', key.transientReasons),
            ]),
          ]),
        ]),
      ]),
    )
    .orderBy('number', 'desc')
    .execute()
  const usable = rows.find(({ status }) => status === 'completed') ?? rows[0]
  return usable && runOfRow(usable)
}

/** The runs among these that have completed or failed. */
export async function readEndedRuns(db: Db, runIds: string[]): Promise<Run[]> {
  const rows = await db
    .selectFrom('runs')
    .select(runColumns)
    .where('id', 'in', runIds)
    .where('status', 'in', ['completed', 'failed'])
    .execute()
  return rows.map(runOfRow)
}
