import type { Run } from '../../model/run.ts'
import type { Db } from '../db.ts'
import { runOfRow, runColumns } from './runs-table.ts'

/** A query may have a long history, in which all but the newest runs are too old anyway. */
const recentRuns = 50

/**
 * A run that makes another one needless: of exactly this SQL, begun at or after `notBefore` or about to begin, and with
 * a result that still lives or a failure of its own. One that somebody stopped, or that failed for one of the
 * `passingReasons`, says nothing about the SQL. A completed one is found before one that goes on.
 */
export async function findUsableRun(
  db: Db,
  key: {
    organizationId: string
    queryId: string
    renderedSql: string
    notBefore: Date
    completedAfter: Date
    passingReasons: string[]
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
              run('failure_reason', 'not in', key.passingReasons),
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

/** Those of the runs that have completed or failed. */
export async function readEndedRuns(db: Db, runIds: string[]): Promise<Run[]> {
  const rows = await db
    .selectFrom('runs')
    .select(runColumns)
    .where('id', 'in', runIds)
    .where('status', 'in', ['completed', 'failed'])
    .execute()
  return rows.map(runOfRow)
}
