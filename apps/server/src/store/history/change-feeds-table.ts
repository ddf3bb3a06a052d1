import { sql } from 'kysely'
import type { ChangeFeed, FeedProblem, FeedResult } from '../../model/change-feed.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

export interface FeedRow {
  isPublishing: boolean
  chosenKeyColumns: string[] | null
  keyColumns: string[] | null
  problem: FeedProblem | null
  latestNumber: number
  head: FeedResult | null
  leaseNumber: number
  recordedLeaseNumber: number
}

interface FeedKey {
  organizationId: string
  referenceId: string
}

const fields = sql`feed.is_publishing as "isPublishing", feed.chosen_key_columns as "chosenKeyColumns", feed.key_columns as "keyColumns",
  feed.problem, feed.latest_number as "latestNumber", feed.lease_number as "leaseNumber",
  feed.recorded_lease_number as "recordedLeaseNumber", ${headOf()} as head`

/** The head as JSON. Null if there is none. */
export function headOf() {
  return sql`case when feed.head_run_id is not null then
    json_build_object('runId', feed.head_run_id, 'resultHash', feed.head_result_hash, 'rowCount', feed.head_row_count) end`
}

export async function findFeed(db: Db | Tx, key: FeedKey): Promise<FeedRow | undefined> {
  const { rows } = await sql<FeedRow>`
    select ${fields} from change_feeds as feed
    where reference_id = ${key.referenceId} and organization_id = ${key.organizationId}`.execute(db)
  return rows[0]
}

/** Locks a feed until the transaction ends. Every change of a feed and of its queue does so first. */
export async function lockFeed(tx: Tx, key: FeedKey): Promise<FeedRow | undefined> {
  const { rows } = await sql<FeedRow>`
    select ${fields} from change_feeds as feed
    where reference_id = ${key.referenceId} and organization_id = ${key.organizationId} for update`.execute(tx)
  return rows[0]
}

export interface FeedSettings {
  isPublishing: boolean
  chosenKeyColumns: string[] | null
  keyColumns: string[] | null
  problem: FeedProblem | null
  head: FeedResult | null
}

/** Saves what people set. The lease number changes, so a comparison that has begun with other settings is not recorded. */
export async function saveFeed(tx: Tx, { referenceId, organizationId, ...settings }: FeedKey & FeedSettings): Promise<void> {
  const { isPublishing, chosenKeyColumns, keyColumns, problem, head } = settings
  await sql`
    insert into change_feeds as feed (reference_id, organization_id, is_publishing, chosen_key_columns, key_columns, problem, head_run_id,
      head_result_hash, head_row_count, updated_at)
    values (${referenceId}, ${organizationId}, ${isPublishing}, ${chosenKeyColumns}, ${keyColumns}, ${problem}, ${head?.runId ?? null},
      ${head?.resultHash ?? null}, ${head?.rowCount ?? null}, ${storeNow})
    on conflict (reference_id) do update set is_publishing = excluded.is_publishing, chosen_key_columns = excluded.chosen_key_columns,
      key_columns = excluded.key_columns, problem = excluded.problem, head_run_id = excluded.head_run_id,
      head_result_hash = excluded.head_result_hash, head_row_count = excluded.head_row_count, updated_at = excluded.updated_at,
      lease_number = feed.lease_number + 1, recorded_lease_number = feed.lease_number + 1, attempt_count = 0`.execute(tx)
}

/** Empties the queue of a feed. */
export async function removeQueuedResults(tx: Tx, { referenceId, organizationId }: FeedKey): Promise<void> {
  await sql`delete from change_feed_results where reference_id = ${referenceId} and organization_id = ${organizationId}`.execute(tx)
}

/** Queues results behind those that wait already. Part of a transaction that has locked the feed. */
export async function queueResults(tx: Tx, { referenceId, organizationId, runIds }: FeedKey & { runIds: string[] }): Promise<void> {
  await sql`
    with fed as (
      update change_feeds set next_position = next_position + ${runIds.length}
      where reference_id = ${referenceId} and organization_id = ${organizationId}
      returning reference_id, organization_id, next_position - ${runIds.length} as first_position)
    insert into change_feed_results (reference_id, position, organization_id, run_id, parameters)
    select fed.reference_id, fed.first_position + queued.place - 1, fed.organization_id, queued.run_id, reference.parameters
    from fed join query_references as reference on reference.id = fed.reference_id
    cross join unnest(${runIds}::text[]) with ordinality as queued (run_id, place)`.execute(tx)
}

/** Completed runs of a query whose result has yet to be kept, in the order in which they ended. */
export async function findRunsToBeKept(tx: Tx, key: { organizationId: string; queryId: string }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select run.id from archive_jobs as job join runs as run on run.id = job.run_id
    where job.state = 'due' and run.organization_id = ${key.organizationId} and run.query_id = ${key.queryId} and run.status = 'completed'
    order by run.number`.execute(tx)
  return rows.map(({ id }) => id)
}

/** When a feed is due: now if the first result of its queue is kept, or never will be. Null if there is none, or it has yet to be kept. */
export const nextAttempt = sql<Date | null>`(
  select case when exists (select from archive_jobs where run_id = first.run_id and state = 'due') then null else store_now() end
  from (select run_id from change_feed_results where reference_id = feed.reference_id order by position limit 1) as first)`

/**
 * Makes a feed due if the first result of its queue can be compared. Part of a transaction that has locked the feed. The transaction
 * that ends the keeping of a result locks it too (`wakeFeedsOf`), so one of the two sees what the other has written.
 */
export async function setNextAttempt(tx: Tx, { referenceId, organizationId }: FeedKey): Promise<void> {
  await sql`${wakes('change_feeds')}
    update change_feeds as feed set attempt_count = 0, recorded_lease_number = lease_number, next_attempt_at = ${nextAttempt}
    where reference_id = ${referenceId} and organization_id = ${organizationId}`.execute(tx)
}

/**
 * Makes the feeds due that wait for the result of a run, which is kept now or never will be. A feed whose first result has yet to be kept goes
 * on waiting. Locks them even if they are due or being worked on (see `setNextAttempt`), and looks at their queues after that.
 */
export async function wakeFeedsOf(tx: Tx, { runId, organizationId }: { runId: string; organizationId: string }): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select reference_id as id from change_feeds
    where organization_id = ${organizationId} and reference_id in (
      select reference_id from change_feed_results where run_id = ${runId})
    order by reference_id for update`.execute(tx)
  if (rows.length === 0) return
  await sql`${wakes('change_feeds')}
    update change_feeds as feed set next_attempt_at = coalesce(feed.next_attempt_at, ${nextAttempt})
    where organization_id = ${organizationId} and reference_id = any(${rows.map(({ id }) => id)}::text[])`.execute(tx)
}

export const presentFeed = (feed: FeedRow | undefined): ChangeFeed => ({
  publishesChanges: feed?.isPublishing ?? false,
  keyColumns: feed?.keyColumns ?? null,
  keyChoice: feed?.chosenKeyColumns ? 'chosen' : 'inferred',
  latestNumber: feed?.latestNumber ?? 0,
  problem: feed?.problem ?? null,
})
