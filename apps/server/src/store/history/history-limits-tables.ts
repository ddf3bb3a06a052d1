import { sql } from 'kysely'
import type { HistoryLimits, HistoryUse, ReferenceHistoryLimits } from '../../model/history.ts'
import type { ItemKey, KeyedRow } from '../../model/page.ts'
import type { Db, Tx } from '../db.ts'

/** Undefined if the organization has the defaults. */
export async function readHistoryLimits(db: Db | Tx, organizationId: string): Promise<HistoryLimits | undefined> {
  return db
    .selectFrom('result_history_settings')
    .select(['kept_days as days', 'kept_count as count', 'kept_bytes as bytes'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
}

export async function saveHistoryLimits(tx: Tx, options: { organizationId: string; limits: HistoryLimits; now: Date }): Promise<void> {
  const { days, count, bytes } = options.limits
  await sql`
    insert into result_history_settings (organization_id, kept_days, kept_count, kept_bytes, updated_at)
    values (${options.organizationId}, ${days}, ${count}, ${bytes}, ${options.now})
    on conflict (organization_id) do update set kept_days = excluded.kept_days, kept_count = excluded.kept_count,
      kept_bytes = excluded.kept_bytes, updated_at = excluded.updated_at`.execute(tx)
}

export async function readReferenceHistoryLimits(db: Db | Tx, referenceId: string): Promise<ReferenceHistoryLimits> {
  const row = await db
    .selectFrom('reference_history_settings')
    .select(['kept_days as days', 'kept_count as count'])
    .where('reference_id', '=', referenceId)
    .executeTakeFirst()
  return row ?? { days: null, count: null }
}

export async function saveReferenceHistoryLimits(
  tx: Tx,
  options: { referenceId: string; limits: ReferenceHistoryLimits; now: Date },
): Promise<void> {
  const { days, count } = options.limits
  await sql`
    insert into reference_history_settings (reference_id, kept_days, kept_count, updated_at)
    values (${options.referenceId}, ${days}, ${count}, ${options.now})
    on conflict (reference_id) do update set kept_days = excluded.kept_days, kept_count = excluded.kept_count,
      updated_at = excluded.updated_at`.execute(tx)
}

/** The stored bytes of an organization's kept results. */
export async function sumStoredBytes(db: Db, organizationId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(stored_bytes), 0)::double precision as bytes from archive_objects
    where organization_id = ${organizationId} and removed_at is null`.execute(db)
  return rows[0]!.bytes
}

/**
 * References by the space their results take, largest first. A chain counts for the reference with its newest result, so that every byte
 * counts once. The key of a row is its size, as text, and its reference's id.
 */
export async function listHistoryUse(
  db: Db,
  options: { organizationId: string; count: number; after?: ItemKey },
): Promise<KeyedRow<HistoryUse>[]> {
  const { after } = options
  const { rows } = await sql<HistoryUse & { referenceId: string }>`
    with live as (
      select result.reference_id, result.run_id, result.at, object.key_id
      from archived_results as result
      join archive_objects as object on object.id = result.object_id
      where result.organization_id = ${options.organizationId} and result.removed_at is null),
    owner as (select distinct on (key_id) key_id, reference_id from live order by key_id, at desc, reference_id),
    size as (
      select owner.reference_id, sum(object.stored_bytes)::double precision as bytes
      from owner join archive_objects as object on object.key_id = owner.key_id and object.removed_at is null
      group by owner.reference_id),
    counted as (select reference_id, count(*)::integer as result_count from live group by reference_id),
    use as (
      select reference.id as "referenceId", reference.short_id as "referenceShortId", reference.title,
        counted.result_count as "resultCount", coalesce(size.bytes, 0) as "storedBytes"
      from counted join query_references as reference on reference.id = counted.reference_id
      left join size on size.reference_id = counted.reference_id)
    select page.*,
      (select count(*)::integer from result_pins as pin where pin.reference_id = page."referenceId" and pin.unpinned_at is null) as "pinnedCount"
    from (
      select * from use
      ${after ? sql`where ("storedBytes", "referenceId") < (${Number(after.createdAt)}::double precision, ${after.id})` : sql``}
      order by "storedBytes" desc, "referenceId" desc
      limit ${options.count}) as page
    order by "storedBytes" desc, "referenceId" desc`.execute(db)
  return rows.map(({ referenceId, ...item }) => ({ item, key: { createdAt: String(item.storedBytes), id: referenceId } }))
}
