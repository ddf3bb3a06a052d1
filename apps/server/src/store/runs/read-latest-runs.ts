import { sql } from 'kysely'
import type { Run } from '../../domain/runs/run.ts'
import type { Db } from '../db.ts'
import { presentRun, runColumns, type RunRow } from './runs.ts'

const byQuery = (rows: RunRow[]) => new Map(rows.map((row) => [row.query_id, presentRun(row)]))

/** The latest run of each query, and the latest completed one: two index probes a query, in one statement. */
export async function readLatestRuns(
  db: Db,
  queryIds: string[],
): Promise<{ latest: Map<string, Run>; latestCompleted: Map<string, Run> }> {
  const columns = sql.join(runColumns.map((column) => sql.ref(column)))
  const { rows } = await sql<RunRow & { is_latest: boolean }>`
    select run.*
    from unnest(${queryIds}::uuid[]) as query (id)
    cross join lateral (
      (select ${columns}, true as is_latest from runs
       where query_id = query.id order by number desc limit 1)
      union all
      (select ${columns}, false from runs
       where query_id = query.id and status = 'completed' order by number desc limit 1)
    ) as run`.execute(db)
  return {
    latest: byQuery(rows.filter((row) => row.is_latest)),
    latestCompleted: byQuery(rows.filter((row) => !row.is_latest)),
  }
}
