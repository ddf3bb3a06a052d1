import { sql } from 'kysely'
import type { ArchivePlaceName, HistoryLimits } from '../../model/history.ts'
import type { Db, Tx } from '../db.ts'
import { walkBatch } from '../sweep-walk.ts'
import { isNeededByFeed, isPinned } from './archived-results-table.ts'
import { countSpace, findChains, forgetReferencesWithoutSpace, recountSpace } from './count-space.ts'

const referencesAtOnce = 200
const chainsAtOnce = 200
const organizationsAtOnce = 20

/** Marks results removed. They stay as rows for pages that show the time before. */
const removed = (now: Date) => sql`removed_at = ${now}, removed_xid = pg_current_xact_id()`

/**
 * Removes the results of each reference that are too old or too many. A reference may have lower limits than its organization. Pinned
 * results, and those that a change feed has yet to compare, neither expire nor count.
 */
export function expireKeptResults(
  db: Db,
  { defaults, now }: { defaults: HistoryLimits; now: Date },
): Promise<{ rows: number; hasMore: boolean }> {
  return walkBatch(db, { kind: 'kept results', now }, async (tx, afterId) => {
    const { rows: references } = await sql<{ id: string }>`
      select distinct reference_id as id from archived_results
      where reference_id > ${afterId ?? ''} order by 1 limit ${referencesAtOnce}`.execute(tx)
    const ids = references.map(({ id }) => id)
    const { rows } = await sql<{ objectId: string }>`
      with walked as (
        select reference.id, least(own.kept_days, coalesce(settings.kept_days, ${defaults.days})) as days,
          least(own.kept_count, coalesce(settings.kept_count, ${defaults.count})) as count
        from query_references as reference
        left join result_history_settings as settings on settings.organization_id = reference.organization_id
        left join reference_history_settings as own on own.reference_id = reference.id
        where reference.id = any(${ids}::text[])),
      expired as (
        select ranked.reference_id, ranked.run_id
        from walked
        cross join lateral (
          select result.reference_id, result.run_id, result.at, row_number() over (order by result.at desc, result.run_id desc) as place
          from archived_results as result
          where result.reference_id = walked.id and result.removed_at is null and not ${isPinned} and not ${isNeededByFeed}) as ranked
        where ranked.place > walked.count or ranked.at < ${now}::timestamptz - walked.days * interval '1 day')
      update archived_results as result set ${removed(now)}
      from expired
      where result.reference_id = expired.reference_id and result.run_id = expired.run_id and result.removed_at is null
        and not ${isPinned} and not ${isNeededByFeed}
      returning result.object_id as "objectId"`.execute(tx)
    await countSpaceOf(tx, rows)
    return { rows: rows.length, nextAfterId: ids.length < referencesAtOnce ? null : ids.at(-1)! }
  })
}

/**
 * Removes results of organizations that use more space than they may, chain by chain, because a chain takes space until its last result is
 * gone: the one with the oldest newest result comes first. Chains with a pinned result, or one
 * that a change feed has yet to compare, stay.
 *
 * The chains of an organization are only read if it uses too much, and a batch is a few organizations, so that no statement grows with the
 * number of organizations.
 */
export function shrinkHistories(
  db: Db,
  { defaults, now }: { defaults: HistoryLimits; now: Date },
): Promise<{ rows: number; hasMore: boolean }> {
  return walkBatch(db, { kind: 'history sizes', now }, async (tx, afterId) => {
    const { rows: organizations } = await sql<{ id: string }>`
      select id from organizations where id > ${afterId ?? ''} order by id limit ${organizationsAtOnce}`.execute(tx)
    const ids = organizations.map(({ id }) => id)
    const overLimit = await findOverLimit(tx, { organizationIds: ids, defaults })
    const rows = overLimit.length === 0 ? 0 : await removeOldestChains(tx, { organizationIds: overLimit, defaults, now })
    await forgetReferencesWithoutSpace(tx, { organizationIds: ids })
    return { rows, nextAfterId: ids.length < organizationsAtOnce ? null : ids.at(-1)! }
  })
}

interface OfOrganizations {
  organizationIds: string[]
  defaults: HistoryLimits
}

/** Those of the organizations that use more space than they may. */
async function findOverLimit(tx: Tx, { organizationIds, defaults }: OfOrganizations): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select used.organization_id as id
    from organization_space as used left join result_history_settings as settings on settings.organization_id = used.organization_id
    where used.organization_id = any(${organizationIds}::text[])
      and used.stored_bytes > coalesce(settings.kept_bytes, ${defaults.bytes})`.execute(tx)
  return rows.map(({ id }) => id)
}

async function removeOldestChains(tx: Tx, { organizationIds, defaults, now }: OfOrganizations & { now: Date }): Promise<number> {
  const { rows } = await sql<{ objectId: string }>`
    with chain as (
      select object.key_id, object.organization_id, sum(object.stored_bytes) as bytes,
        max(result.at) as newest_at, coalesce(bool_or(result.is_pinned), false) as is_pinned
      from archive_objects as object
      left join lateral (
        select max(result.at) as at, bool_or(${isPinned} or ${isNeededByFeed}) as is_pinned
        from archived_results as result where result.object_id = object.id and result.removed_at is null) as result on true
      where object.organization_id = any(${organizationIds}::text[]) and object.written_at is not null and object.removed_at is null
      group by object.key_id, object.organization_id),
    -- Newest first: what remains when all older ones are gone. Pinned chains are there anyway.
    kept as (
      select key_id, is_pinned, sum(bytes) over (
        partition by chain.organization_id order by is_pinned desc, newest_at desc nulls last, key_id) as bytes,
        coalesce(settings.kept_bytes, ${defaults.bytes}) as max_bytes
      from chain left join result_history_settings as settings on settings.organization_id = chain.organization_id)
    update archived_results as result set ${removed(now)}
    from kept join archive_objects as object on object.key_id = kept.key_id
    where kept.bytes > kept.max_bytes and not kept.is_pinned and result.object_id = object.id and result.removed_at is null
      and not ${isPinned} and not ${isNeededByFeed}
    returning result.object_id as "objectId"`.execute(tx)
  await countSpaceOf(tx, rows)
  return rows.length
}

/** A chain counts for another reference, or for none, when its newest result is removed. */
async function countSpaceOf(tx: Tx, removedResults: { objectId: string }[]): Promise<void> {
  if (removedResults.length === 0) return
  await countSpace(tx, { chainIds: await findChains(tx, removedResults.map(({ objectId }) => objectId)) })
}

/**
 * Marks objects removed that no result needs. A result needs its object and everything before it in the chain, so an object goes when no
 * result needs it or a later one. Objects that are being written count as needed for a day. Corrects the space of the chains on the way.
 */
export function removeUnusedObjects(db: Db, { now, writingSince }: { now: Date; writingSince: Date }): Promise<{ rows: number; hasMore: boolean }> {
  return walkBatch(db, { kind: 'archive chains', now }, async (tx, afterId) => {
    // The lock of each chain is held, so nothing can begin to use an object. The next statement sees everything that did before.
    const { rows: keys } = await sql<{ id: string }>`
      select id from archive_objects
      where id > ${afterId ?? ''} and base_id is null and removed_at is null
      order by id limit ${chainsAtOnce} for update`.execute(tx)
    const ids = keys.map(({ id }) => id)
    const { rows } = await sql`
      update archive_objects as object set removed_at = ${now}
      where object.key_id = any(${ids}::text[]) and object.removed_at is null and not exists (
        select from archive_objects as later
        where later.key_id = object.key_id and later.chain_length >= object.chain_length and later.removed_at is null
          and (later.written_at is null and later.created_at >= ${writingSince}
            or exists (select from archived_results as result where result.object_id = later.id and result.removed_at is null)))
      returning object.id`.execute(tx)
    const nextAfterId = ids.length < chainsAtOnce ? null : ids.at(-1)!
    await recountSpace(tx, { chainIds: ids, afterId: afterId ?? '', lastId: nextAfterId })
    return { rows: rows.length, nextAfterId }
  })
}

/** Unfinished objects whose writer has died. Nothing builds on them. */
export async function removeUnfinishedObjects(db: Db, options: { writingSince: Date; now: Date; batchSize: number }): Promise<number> {
  const removedObjects = await sql`
    update archive_objects set removed_at = ${options.now}
    where id = any(array(
      select id from archive_objects
      where written_at is null and removed_at is null and created_at < ${options.writingSince}
      limit ${options.batchSize} for update skip locked))`.execute(db)
  return Number(removedObjects.numAffectedRows ?? 0n)
}

/** Removed objects whose bytes nobody reads any more, the last of each chain first. */
export async function findRemovedObjects(
  db: Db,
  options: { removedBefore: Date; places: ArchivePlaceName[]; count: number },
): Promise<{ id: string; place: ArchivePlaceName; uploadId: string | null }[]> {
  const { rows } = await sql<{ id: string; place: ArchivePlaceName; uploadId: string | null }>`
    select id, place, upload_id as "uploadId" from archive_objects
    where removed_at < ${options.removedBefore} and place = any(${options.places}::text[])
    order by chain_length desc, id limit ${options.count}`.execute(db)
  return rows
}

/** Deletes rows of objects whose bytes are gone. Those that others still build on stay until these are gone. */
export async function forgetObjects(db: Db, ids: string[]): Promise<void> {
  await db.transaction().execute(async (tx: Tx) => {
    await sql`delete from archive_pieces where object_id = any(${ids}::text[])`.execute(tx)
    await sql`
      delete from archive_objects as object
      where id = any(${ids}::text[]) and not exists (
        select from archive_objects as other
        where (other.base_id = object.id or other.key_id = object.id) and other.id <> object.id and other.id <> all(${ids}::text[]))`.execute(tx)
  })
}

/** Rows of removed results, ended pins and ended jobs that no page shows any more. */
export async function forgetRemovedResults(db: Db, options: { removedBefore: Date; batchSize: number }): Promise<number> {
  const forgotten = await sql`
    delete from archived_results where (reference_id, run_id) in (
      select reference_id, run_id from archived_results where removed_at < ${options.removedBefore}
      limit ${options.batchSize} for update skip locked)`.execute(db)
  await sql`
    delete from result_pins where id = any(array(
      select id from result_pins where unpinned_at < ${options.removedBefore} limit ${options.batchSize} for update skip locked))`.execute(db)
  return Number(forgotten.numAffectedRows ?? 0n)
}

export async function removeEndedArchiveJobs(db: Db, options: { endedBefore: Date; batchSize: number }): Promise<number> {
  const ended = await sql`
    delete from archive_jobs where run_id = any(array(
      select run_id from archive_jobs where ended_at < ${options.endedBefore}
      limit ${options.batchSize} for update skip locked))`.execute(db)
  return Number(ended.numAffectedRows ?? 0n)
}
