import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { nextQueryIds } from './next-query-ids.ts'
import { walkBatch } from '../sweep-walk.ts'

const queriesAtOnce = 500
const runsAtOnce = 500

/**
 * Removes runs that ended before `endedBefore`. Keeps the newest `keptCount` of each query, the latest completed run, whose result
 * is the query's, runs that an automation has yet to evaluate, and every run that a page of a list may show: a run was the latest of
 * its query until the next one, so it is removed only if the next one was requested before `replacedBefore`.
 *
 * Runs end in the order of their numbers, so removable runs are the oldest of a query. The three oldest show whether there are any,
 * because at most two old runs are kept.
 */
export function removeOldRuns(
  db: Db,
  options: { endedBefore: Date; replacedBefore: Date; keptCount: number; now: Date },
): Promise<{ rows: number; hasMore: boolean }> {
  return walkBatch(db, { kind: 'old runs', now: options.now }, async (tx, afterId) => {
    const ids = await nextQueryIds(tx, afterId, queriesAtOnce)
    const { rows: old } = await sql<{ id: string }>`
      select old.id
      from unnest(${ids}::uuid[]) as walked (query_id)
      cross join lateral (
        select number from runs where query_id = walked.query_id
        order by number desc offset ${options.keptCount - 1} limit 1) as kept
      cross join lateral (
        select id from (
          select id, number, completed_at, lead(run_at) over (order by number) as next_run_at
          from (
            select id, number, completed_at, run_at from runs where query_id = walked.query_id
            order by number limit ${runsAtOnce + 1}) as oldest) as run
        where number < kept.number and completed_at < ${options.endedBefore} and next_run_at < ${options.replacedBefore}
          and id is distinct from (
            select id from runs where query_id = walked.query_id and status = 'completed' order by number desc limit 1)
          and not exists (select from automations where unjudged_run_id = run.id)
      ) as old
      where exists (
        select from (
          select completed_at from runs where query_id = walked.query_id order by number limit 3) as oldest
        where completed_at < ${options.endedBefore})
      limit ${runsAtOnce}`.execute(tx)
    const removed = await sql`
      with removed as (
        delete from runs where id in (
          select id from runs where id = any(${old.map(({ id }) => id)}::text[]) order by id for update skip locked)
        returning id),
      inputs as (delete from run_inputs where run_id in (select id from removed))
      select id from removed`.execute(tx)
    const rows = removed.rows.length
    // These queries may have more old runs, so check them again.
    if (rows > 0 && old.length === runsAtOnce) return { rows, nextAfterId: afterId ?? firstId }
    return { rows, nextAfterId: ids.length < queriesAtOnce ? null : ids.at(-1)! }
  })
}

/** Sorts before every other id. */
const firstId = '00000000-0000-0000-0000-000000000000'
