import { sql } from 'kysely'
import type { ClaimedFeed, FeedDecision } from '../../model/change-feed.ts'
import type { ParameterDefinition } from '../../model/parameter.ts'
import type { Db, Tx } from '../db.ts'
import { dueInTurn } from '../due-in-turn.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { headOf, nextAttempt } from './change-feeds-table.ts'

/** Claims feeds with a result to compare, in turns between organizations, by moving their next attempt to the end of a lease. */
export async function claimFeeds(db: Db, options: { leaseMs: number; count: number }): Promise<ClaimedFeed[]> {
  const { rows } = await sql<ClaimedFeed>`${prepared}
    with recursive ${dueInTurn('change_feeds', options)}
    update change_feeds as feed
    set attempt_count = attempt_count + 1, lease_number = lease_number + 1, next_attempt_at = ${storeNowPlus(options.leaseMs)}
    from due cross join lateral (
      select position, run_id from change_feed_results as queued
      where queued.reference_id = due.id order by position limit 1) as first
    where due.id = feed.reference_id
    returning feed.reference_id as id, feed.lease_number as "leaseNumber", feed.attempt_count as "attemptNumber",
      feed.organization_id as "organizationId", feed.chosen_key_columns as "chosenKeyColumns", feed.key_columns as "keyColumns",
      ${headOf()} as head, json_build_object('position', first.position, 'runId', first.run_id) as next`.execute(db)
  return rows
}

export async function renewFeeds(
  db: Db,
  options: { leaseMs: number; items: { id: string; leaseNumber: number }[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`${prepared}
    update change_feeds as feed set next_attempt_at = ${storeNowPlus(options.leaseMs)}
    from unnest(${options.items.map(({ id }) => id)}::text[], ${options.items.map(({ leaseNumber }) => leaseNumber)}::integer[])
      as held (id, lease_number)
    where feed.reference_id = held.id and feed.lease_number = held.lease_number and feed.recorded_lease_number < held.lease_number
    returning feed.reference_id as id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The parameters that the reference had when the run of a queued result ended. Undefined if it is no longer queued. */
export async function readQueuedParameters(db: Db, { id, organizationId, next }: ClaimedFeed): Promise<ParameterDefinition[] | undefined> {
  const row = await db
    .selectFrom('change_feed_results')
    .select('parameters')
    .where('reference_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('position', '=', next.position)
    .executeTakeFirst()
  return row?.parameters
}

type Advance = Extract<FeedDecision, { state: 'changed' | 'unchanged' | 'started' | 'passed' }>

/**
 * Takes the first result out of the queue of a feed, and makes it the head if it is one. Part of a transaction that has locked the feed.
 * False if the result is not in the queue any more.
 */
export async function advanceFeedRow(tx: Tx, { id, organizationId, next }: ClaimedFeed, decision: Advance): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('change_feed_results')
    .where('reference_id', '=', id)
    .where('organization_id', '=', organizationId)
    .where('position', '=', next.position)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await tx
    .updateTable('change_feeds')
    .set({
      updated_at: storeNow,
      ...(decision.state !== 'passed' && {
        head_run_id: decision.to.runId,
        head_result_hash: decision.to.resultHash,
        head_row_count: decision.to.rowCount,
      }),
      ...(decision.state === 'changed' && {
        latest_number: sql<number>`latest_number + 1`,
        key_columns: decision.comparison.nextKeyColumns,
        problem: decision.comparison.problem,
      }),
      ...(decision.state === 'started' && { key_columns: decision.keyColumns, problem: decision.problem }),
      ...(decision.state === 'passed' && decision.problem !== null && { problem: decision.problem }),
    })
    .where('reference_id', '=', id)
    .where('organization_id', '=', organizationId)
    .execute()
  return true
}

/** Lets a feed wait for its next attempt; without a wait, the last one does not count. Part of a transaction that has locked the feed. */
export async function postponeFeed(tx: Tx, { id, organizationId, attemptNumber }: ClaimedFeed, { waitMs }: { waitMs: number | null }): Promise<void> {
  await tx
    .updateTable('change_feeds as feed')
    .set({
      next_attempt_at: waitMs === null ? nextAttempt : storeNowPlus(waitMs),
      attempt_count: waitMs === null ? attemptNumber - 1 : attemptNumber,
      recorded_lease_number: sql<number>`lease_number`,
    })
    .where('reference_id', '=', id)
    .where('organization_id', '=', organizationId)
    .execute()
}
