import { sql } from 'kysely'
import type { HistoryLimits, HistoryUse, ReferenceHistoryLimits } from '../../model/history.ts'
import type { ItemKey, KeyedRow } from '../../model/page.ts'
import type { Db, Tx } from '../db.ts'
import { hasResults } from './count-space.ts'

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
export async function readStoredBytes(db: Db, organizationId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select stored_bytes::double precision as bytes from organization_space where organization_id = ${organizationId}`.execute(db)
  return rows[0]?.bytes ?? 0
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
    select page.reference_id as "referenceId", reference.short_id as "referenceShortId", reference.title,
      page.stored_bytes::double precision as "storedBytes",
      (select count(*)::integer from archived_results as result
       where result.reference_id = page.reference_id and result.removed_at is null) as "resultCount",
      (select count(*)::integer from result_pins as pin
       where pin.reference_id = page.reference_id and pin.unpinned_at is null) as "pinnedCount"
    from (
      select reference_id, stored_bytes from reference_space as space
      where organization_id = ${options.organizationId} and ${hasResults}
        ${after ? sql`and (stored_bytes, reference_id) < (${after.createdAt}::bigint, ${after.id})` : sql``}
      order by stored_bytes desc, reference_id desc
      limit ${options.count}) as page
    join query_references as reference on reference.id = page.reference_id
    order by page.stored_bytes desc, page.reference_id desc`.execute(db)
  return rows.map(({ referenceId, ...item }) => ({ item, key: { createdAt: String(item.storedBytes), id: referenceId } }))
}
