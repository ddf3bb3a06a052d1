import { type RawBuilder, sql } from 'kysely'
import type { KeptResult, KeptResultInFull } from '../../model/history.ts'
import type { PageRead, PageRows } from '../../model/page.ts'
import type { ParameterValues } from '../../model/parameter.ts'
import type { Db, Tx } from '../db.ts'
import { readSnapshotPage } from '../snapshot-page.ts'
import { exactText, visibleIn } from '../snapshot.ts'

interface Row extends KeptResult {
  atText: string
}

/** One page of the kept results of a reference, newest first, as of one snapshot. */
export async function readKeptResultsPage(
  db: Db,
  { referenceId, ...page }: PageRead & { referenceId: string },
): Promise<PageRows<KeptResult> | 'snapshot_unknown'> {
  const { from } = page
  return readSnapshotPage(db, {
    from,
    selected: sql<Row>`
      select ${fields}, ${from ? wasPinned(from.snapshot) : isPinned} as "isPinned", ${exactText(sql`result.at`)} as "atText"
      from archived_results as result
      where result.reference_id = ${referenceId} and result.organization_id = ${page.organizationId}
        and ${from ? wasKept(from) : sql`result.removed_at is null`}
      order by result.at desc, result.run_id desc
      limit ${page.count}`,
    order: sql`listed.at desc, listed."runId" desc`,
    present: ({ atText, ...item }) => ({ item, key: { createdAt: atText, id: item.runId } }),
  })
}

const fields = sql`result.run_id as "runId", result.at, result.row_count as "rowCount", result.result_hash as "resultHash",
  result.size_bytes as "sizeBytes"`
const ofResult = sql`pin.reference_id = result.reference_id and pin.run_id = result.run_id`
export const isPinned = sql`exists (select from result_pins as pin where ${ofResult} and pin.unpinned_at is null)`

/** The newest result of a change feed, which the next one is compared with, and the results that wait for that. */
export const isNeededByFeed = sql`(
  exists (select from change_feeds as feed where feed.reference_id = result.reference_id and feed.head_run_id = result.run_id)
  or exists (
    select from change_feed_results as queued where queued.reference_id = result.reference_id and queued.run_id = result.run_id))`

const wasPinned = (snapshot: string) => sql`exists (
  select from result_pins as pin
  where ${ofResult} and ${visibleIn(snapshot, sql`pin.pinned_xid`)}
    and (pin.unpinned_xid is null or not ${visibleIn(snapshot, sql`pin.unpinned_xid`)}))`

const wasKept = ({ snapshot, after }: NonNullable<PageRead['from']>): RawBuilder<unknown> => sql`
  (result.at, result.run_id) < (${after.createdAt}::timestamptz, ${after.id})
  and ${visibleIn(snapshot, sql`result.archived_xid`)}
  and (result.removed_xid is null or not ${visibleIn(snapshot, sql`result.removed_xid`)})`

export async function findKeptResult(
  db: Db | Tx,
  key: { organizationId: string; referenceId: string; runId: string },
): Promise<KeptResultInFull | undefined> {
  const { rows } = await sql<KeptResultInFull>`
    select ${fields}, ${isPinned} as "isPinned", result.query_id as "queryId", result.parameter_values as "parameterValues",
      result.parameter_types as "parameterTypes", result.object_id as "objectId"
    from archived_results as result
    where result.reference_id = ${key.referenceId} and result.run_id = ${key.runId} and result.organization_id = ${key.organizationId}
      and result.removed_at is null and result.object_id is not null`.execute(db)
  return rows[0]
}

/** The newest result that was there at a time. Times are shown in milliseconds, but stored more exactly, so the whole millisecond counts. */
export async function findKeptResultAt(
  db: Db,
  key: { organizationId: string; referenceId: string; at: Date },
): Promise<KeptResultInFull | undefined> {
  const { rows } = await sql<{ runId: string }>`
    select run_id as "runId" from archived_results
    where reference_id = ${key.referenceId} and organization_id = ${key.organizationId} and removed_at is null and at < ${new Date(key.at.getTime() + 1)}
    order by at desc, run_id desc limit 1`.execute(db)
  return rows[0] && findKeptResult(db, { ...key, runId: rows[0].runId })
}

/** When the oldest kept result is from. */
export async function findOldestKeptAt(db: Db, key: { organizationId: string; referenceId: string }): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select at from archived_results
    where reference_id = ${key.referenceId} and organization_id = ${key.organizationId} and removed_at is null
    order by at, run_id limit 1`.execute(db)
  return rows[0]?.at ?? null
}

export type ResultToReplay = Pick<
  KeptResultInFull,
  'runId' | 'at' | 'rowCount' | 'resultHash' | 'queryId' | 'parameterValues' | 'parameterTypes' | 'objectId'
> & {
  /** It was computed to fill the history. `at` is the day it stands for. */
  isFilled: boolean
}

/** The last results of a reference that can be opened, oldest first. */
export async function readResultsToReplay(
  db: Db,
  key: { organizationId: string; referenceId: string; count: number },
): Promise<ResultToReplay[]> {
  const { rows } = await sql<ResultToReplay>`
    select result.run_id as "runId", coalesce(filled.stands_for, result.at) as at, filled.run_id is not null as "isFilled",
      row_count as "rowCount", result_hash as "resultHash", query_id as "queryId", parameter_values as "parameterValues",
      parameter_types as "parameterTypes", object_id as "objectId"
    from archived_results as result
    left join filled_results as filled on filled.reference_id = result.reference_id and filled.run_id = result.run_id
    where result.reference_id = ${key.referenceId} and result.organization_id = ${key.organizationId} and removed_at is null and object_id is not null
    order by coalesce(filled.stands_for, result.at) desc, result.run_id desc limit ${key.count}`.execute(db)
  return rows.toReversed()
}

/** The newest result of a query with these values. */
export async function findNewestKeptResult(
  db: Db | Tx,
  key: { organizationId: string; referenceId: string; queryId: string; parameterValues: ParameterValues },
): Promise<KeptResultInFull | undefined> {
  const { rows } = await sql<{ runId: string }>`
    select run_id as "runId" from archived_results
    where reference_id = ${key.referenceId} and organization_id = ${key.organizationId} and removed_at is null and object_id is not null
      and query_id = ${key.queryId} and parameter_values = ${JSON.stringify(key.parameterValues)}::jsonb
    order by at desc, run_id desc limit 1`.execute(db)
  return rows[0] && findKeptResult(db, { ...key, runId: rows[0].runId })
}

/** Locks a result until the transaction ends, so that it does not expire while it is pinned. False if it is no longer kept. */
export async function lockKeptResult(tx: Tx, key: { referenceId: string; runId: string }): Promise<boolean> {
  const { rows } = await sql`
    select run_id from archived_results
    where reference_id = ${key.referenceId} and run_id = ${key.runId} and removed_at is null for update`.execute(tx)
  return rows.length === 1
}

export async function countPinned(tx: Tx, referenceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from result_pins where reference_id = ${referenceId} and unpinned_at is null`.execute(tx)
  return rows[0]!.count
}

/** False if it is pinned already. */
export async function insertPin(
  tx: Tx,
  pin: { id: string; referenceId: string; runId: string; pinnedBy: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into result_pins (id, reference_id, run_id, pinned_by, pinned_at)
    values (${pin.id}, ${pin.referenceId}, ${pin.runId}, ${pin.pinnedBy}, ${pin.now})
    on conflict (reference_id, run_id) where unpinned_at is null do nothing returning id`.execute(tx)
  return rows.length === 1
}

/** False if it is not pinned. */
export async function endPin(tx: Tx, key: { referenceId: string; runId: string; now: Date }): Promise<boolean> {
  const { rows } = await sql`
    update result_pins set unpinned_at = ${key.now}, unpinned_xid = pg_current_xact_id()
    where reference_id = ${key.referenceId} and run_id = ${key.runId} and unpinned_at is null returning id`.execute(tx)
  return rows.length > 0
}
