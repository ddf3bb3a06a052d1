import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'

/** When each budget is full again. Full budgets may be missing. */
export type Budgets = Map<string, Date>

export async function readSignInBudgets(db: Db, keys: string[]): Promise<Budgets> {
  const rows = await db.selectFrom('sign_in_budgets').select(['key', 'full_at']).where('key', 'in', keys).execute()
  return new Map(rows.map(({ key, full_at }) => [key, full_at]))
}

/**
 * Reads the budgets and locks them until the transaction ends. Missing rows are created, so that there is something to lock. Always
 * in key order, or two attempts could deadlock.
 */
export async function lockSignInBudgets(tx: Tx, keys: string[], now: Date): Promise<Budgets> {
  const { rows } = await sql<{ key: string; fullAt: Date }>`
    insert into sign_in_budgets (key, full_at)
    select key, ${now}::timestamptz from unnest(${keys.toSorted()}::text[]) with ordinality as wanted (key, number)
    order by number
    on conflict (key) do update set full_at = sign_in_budgets.full_at
    returning key, full_at as "fullAt"`.execute(tx)
  return new Map(rows.map(({ key, fullAt }) => [key, fullAt]))
}

/** For budgets that this transaction has locked. */
export async function setSignInBudgets(tx: Tx, budgets: readonly { key: string; fullAt: Date }[]): Promise<void> {
  await sql`
    update sign_in_budgets set full_at = changed.full_at
    from unnest(
      ${budgets.map(({ key }) => key)}::text[],
      ${budgets.map(({ fullAt }) => fullAt.toISOString())}::timestamptz[]) as changed (key, full_at)
    where sign_in_budgets.key = changed.key`.execute(tx)
}

/** Refunds part of what was spent. A budget that was swept is already full. */
export async function refundSignInBudgets(db: Db, refunds: readonly { key: string; backMs: number }[]): Promise<void> {
  const keys = refunds.map(({ key }) => key)
  await sql`
    with locked as materialized (
      select key from sign_in_budgets where key = any(${keys}::text[]) order by key for update)
    update sign_in_budgets set full_at = full_at - refund.back_ms * interval '1 millisecond'
    from locked
    join unnest(${keys}::text[], ${refunds.map(({ backMs }) => backMs)}::integer[]) as refund (key, back_ms) using (key)
    where sign_in_budgets.key = locked.key`.execute(db)
}

/** Removes one portion per call, so that no statement holds locks for long. Returns the number of rows removed. */
export async function deleteFullSignInBudgets(db: Db, options: { now: Date; portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sign_in_budgets where key = any (array(
      select key from sign_in_budgets
      where full_at <= ${options.now}
      order by full_at
      limit ${options.portion}
      for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
