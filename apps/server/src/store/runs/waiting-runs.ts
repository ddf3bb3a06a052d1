import { sql } from 'kysely'
import { allRuns } from '../access/all-runs.ts'
import type { Db, Tx } from '../db.ts'
import { inTransaction } from '../in-transaction.ts'
import type { NewRun } from './runs-table.ts'

/**
 * Lets a run wait until its query has no unfinished run; then a trigger makes it pending (0069-start-waiting-runs.sql). False if the
 * query has no unfinished run any more, so that the run need not wait.
 *
 * The lock on the unfinished run makes the statement that ends it wait for this transaction, so the trigger sees the new row. A run
 * with the same SQL that is unfinished or already waits serves for this one too.
 */
export function letRunWait(db: Db | Tx, run: NewRun): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const unfinished = await tx
      .selectFrom(allRuns().as('runs'))
      .select(['rendered_sql', 'row_bindings'])
      .where('query_id', '=', run.queryId)
      .where('status', 'in', ['pending', 'running'])
      .forShare()
      .executeTakeFirst()
    if (!unfinished) return false
    const rowBindings = run.rowBindings ?? null
    if (unfinished.rendered_sql === run.renderedSql && unfinished.row_bindings === rowBindings) return true
    await sql`
      insert into waiting_runs
        (id, organization_id, query_id, trigger_id, parameter_values, parameter_types, rendered_sql, requested_at, row_bindings)
      values (${run.id}, ${run.organizationId}, ${run.queryId}, ${run.triggerId}, ${JSON.stringify(run.parameterValues)},
        ${JSON.stringify(run.parameterTypes)}, ${run.renderedSql}, ${run.runAt}, ${rowBindings})
      on conflict (query_id, md5(rendered_sql)) do nothing`.execute(tx)
    return true
  })
}

export async function countWaitingRuns(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('waiting_runs')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return row.count
}

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
