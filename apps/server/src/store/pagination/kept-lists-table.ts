import { sql } from 'kysely'
import type { Db } from '../db.ts'

export async function insertKeptList(
  db: Db,
  list: { id: string; organizationId: string; items: readonly unknown[]; createdAt: Date },
): Promise<void> {
  const row = { id: list.id, organization_id: list.organizationId, items: JSON.stringify(list.items), created_at: list.createdAt }
  await db.insertInto('kept_lists').values(row).execute()
}

/** A part of a list, and how many items the whole list has. Undefined if it is not kept any more. */
export async function readKeptList(
  db: Db,
  part: { id: string; organizationId: string; start: number; count: number },
): Promise<{ items: unknown[]; total: number } | undefined> {
  const range = `$[${part.start} to ${part.start + part.count - 1}]`
  const { rows } = await sql<{ items: unknown[]; total: number }>`
    select jsonb_path_query_array(items, ${range}::jsonpath) as items, jsonb_array_length(items) as total
    from kept_lists where id = ${part.id} and organization_id = ${part.organizationId}`.execute(db)
  return rows[0]
}

/** Returns how many were removed, at most `batchSize`. */
export async function removeOldKeptLists(db: Db, options: { createdBefore: Date; batchSize: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from kept_lists where id = any (array(
      select id from kept_lists where created_at < ${options.createdBefore}
      order by created_at limit ${options.batchSize} for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
