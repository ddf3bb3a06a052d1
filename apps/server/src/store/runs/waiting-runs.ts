import { sql } from 'kysely'
import { allRuns } from '../access/all-runs.ts'
import type { Db, Tx } from '../db.ts'
import { inTransaction } from '../in-transaction.ts'
import { wakes } from '../wakeups.ts'
import type { NewRun } from './runs-table.ts'

/**
 * Lets a run wait until its query has no unfinished run; then a trigger makes it pending (0261-waiting-bound-runs.sql). False if the
 * query has no unfinished run any more, so that the run need not wait.
 *
 * The lock on the unfinished run makes the statement that ends it wait for this transaction, so the trigger sees the new row. A run
 * with the same SQL and bindings of row rules that is unfinished or already waits serves for this one too.
 *
 * Claims skip a locked run, so workers are woken once a pending one is unlocked.
 */
export function letRunWait(db: Db | Tx, run: NewRun): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const unfinished = await tx
      .selectFrom(allRuns().as('runs'))
      .select(['rendered_sql', 'row_bindings'])
      .where('query_id', '=', run.queryId)
      .where('status', 'in', ['pending', 'running'])
      .forShare()
      .modifyEnd(wakes('runs'))
      .executeTakeFirst()
    if (!unfinished) return false
    const rowBindings = run.rowBindings ?? null
    if (unfinished.rendered_sql === run.renderedSql && unfinished.row_bindings === rowBindings) return true
    await tx
      .insertInto(rowBindings === null ? 'waiting_runs' : 'waiting_bound_runs')
      .values({
        id: run.id,
        organization_id: run.organizationId,
        query_id: run.queryId,
        trigger_id: run.triggerId,
        parameter_values: JSON.stringify(run.parameterValues),
        parameter_types: JSON.stringify(run.parameterTypes),
        rendered_sql: run.renderedSql,
        requested_at: run.runAt,
        row_bindings: rowBindings!,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return true
  })
}

export async function countWaitingRuns(db: Db, organizationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from waiting_runs where organization_id = ${organizationId})
      + (select count(*) from waiting_bound_runs where organization_id = ${organizationId}))::integer as count`.execute(db)
  return rows[0]!.count
}

/** Whether this run itself waits, and not another one that serves for it. */
export const isWaitingRun = (runId: string) => sql<boolean>`(
  exists (select from waiting_runs where id = ${runId}) or exists (select from waiting_bound_runs where id = ${runId}))`

/** The run of a query with exactly this SQL that is unfinished or waits. Undefined if there is none any more. */
export async function findUnfinishedRunId(db: Db | Tx, key: { queryId: string; renderedSql: string }): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from runs
    where query_id = ${key.queryId} and status in ('pending', 'running') and rendered_sql = ${key.renderedSql}
    union all
    select id from waiting_runs
    where query_id = ${key.queryId} and md5(rendered_sql) = md5(${key.renderedSql}) and rendered_sql = ${key.renderedSql}
    limit 1`.execute(db)
  return rows[0]?.id
}

/** The unfinished run of a query, also one that the viewer does not see because it has other bindings of row rules. */
export async function findRunInTheWay(db: Db | Tx, queryId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom(allRuns().as('runs'))
    .select('id')
    .where('query_id', '=', queryId)
    .where('status', 'in', ['pending', 'running'])
    .executeTakeFirst()
  return row?.id
}
