import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { walkBatch } from '../sweep-walk.ts'
import { nextQueryIds } from '../runs/next-query-ids.ts'

const queriesAtOnce = 500
const runsAtOnce = 500

/**
 * Marks queries as expired that are not saved and have not been used for a while. A query is *saved* while a reference points to it
 * or a version of one does. A deleted reference counts too, because it may be restored. A query is *used* when it
 * is stored and whenever it runs, as long as an agent run that ran it exists, and while an automation has yet to evaluate one of its
 * results.
 */
export function expireUnsavedQueries(
  db: Db,
  options: { unusedBefore: Date; now: Date },
): Promise<{ rows: number; hasMore: boolean }> {
  return walkBatch(db, { kind: 'unsaved queries', now: options.now }, async (tx, afterId) => {
    const ids = await nextQueryIds(tx, afterId, queriesAtOnce)
    const unsaved = await readUnsaved(tx, ids, options)
    // A transaction that is storing a run or a reference of a query holds a lock on it. Once this transaction holds its lock, no other
    // can, so the second check, which sees everything committed before, is final.
    const locked = unsaved.length > 0 ? await lockQueries(tx, unsaved) : []
    const expired = locked.length > 0 ? await readUnsaved(tx, locked, options) : []
    if (expired.length > 0) {
      await sql`
        update queries set expired_at = ${options.now}, expired_xid = pg_current_xact_id()
        where id = any(${expired}::uuid[])`.execute(tx)
    }
    return { rows: expired.length, nextAfterId: ids.length < queriesAtOnce ? null : ids.at(-1)! }
  })
}

async function readUnsaved(tx: Tx, ids: string[], options: { unusedBefore: Date }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select query.id
    from unnest(${ids}::uuid[]) as walked (id)
    cross join lateral (
      select id from queries
      where id = walked.id and expired_at is null and created_at < ${options.unusedBefore} limit 1) as query
    where not exists (select from query_references where stored_query_id = query.id)
      and not exists (select from query_reference_history where query_id = query.id)
      and not exists (select from query_reference_versions where query_id = query.id)
      and not exists (
        select from (select completed_at from runs where query_id = query.id order by number desc limit 1) as latest
        where completed_at is null or completed_at >= ${options.unusedBefore})
      and not exists (
        select from runs join agent_runs on agent_runs.id = runs.trigger_id where runs.query_id = query.id)
      and not exists (
        select from automations join runs on runs.id = automations.unjudged_run_id where runs.query_id = query.id)`.execute(tx)
  return rows.map(({ id }) => id)
}

async function lockQueries(tx: Tx, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from queries where id = any(${ids}::uuid[]) and expired_at is null
    order by id for update skip locked`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Removes queries that expired before `expiredBefore`, with their runs. By then no page of a list can show them. A query with an
 * unfinished run is left for later.
 */
export function purgeQueries(db: Db, options: { expiredBefore: Date }): Promise<{ rows: number; hasMore: boolean }> {
  return db.transaction().execute(async (tx) => {
    const { rows: found } = await sql<{ id: string }>`
      select id from queries
      where expired_at < ${options.expiredBefore}
        and not exists (select from runs where query_id = queries.id and status in ('pending', 'running'))
        and not exists (select from query_references where stored_query_id = queries.id)
      order by expired_at
      limit ${queriesAtOnce}
      for update skip locked`.execute(tx)
    if (found.length === 0) return { rows: 0, hasMore: false }
    const ids = found.map(({ id }) => id)
    const runs = await sql`
      delete from runs where id in (
        select id from runs where query_id = any(${ids}::uuid[]) limit ${runsAtOnce})`.execute(tx)
    const queries = await sql`
      delete from queries
      where id = any(${ids}::uuid[]) and not exists (select from runs where query_id = queries.id)`.execute(tx)
    const [runCount, queryCount] = [runs, queries].map(({ numAffectedRows }) => Number(numAffectedRows ?? 0n))
    const rows = runCount! + queryCount!
    return { rows, hasMore: rows > 0 && (found.length === queriesAtOnce || queryCount! < found.length) }
  })
}
