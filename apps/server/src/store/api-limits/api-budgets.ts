import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Holds `burst` tokens and regains one every `regainMs`. */
export interface ApiBudget {
  key: string
  burst: number
  regainMs: number
}

export interface TakenToken {
  key: string
  isTaken: boolean
  /** When the budget is full again. */
  fullAt: Date
}

/** Takes a token from each budget that has one, in one statement, so that processes together take no more than there are. */
export async function takeApiTokens(db: Db, budgets: readonly ApiBudget[], now: Date): Promise<TakenToken[]> {
  const keys = budgets.map(({ key }) => key)
  const { rows: taken } = await sql<{ key: string; fullAt: Date }>`
    with wanted as (
      select key, regain_ms * interval '1 millisecond' as regain, ${now}::timestamptz + burst * regain_ms * interval '1 millisecond' as emptied
      from unnest(
        ${keys}::text[],
        ${budgets.map(({ regainMs }) => regainMs)}::double precision[],
        ${budgets.map(({ burst }) => burst)}::integer[]) as given (key, regain_ms, burst))
    insert into api_budgets as budget (key, full_at)
    select key, ${now}::timestamptz + regain from wanted order by key
    on conflict (key) do update set full_at = greatest(budget.full_at, ${now}::timestamptz) + (excluded.full_at - ${now}::timestamptz)
      where greatest(budget.full_at, ${now}::timestamptz) + (excluded.full_at - ${now}::timestamptz)
        <= (select emptied from wanted where wanted.key = budget.key)
    returning key, full_at as "fullAt"`.execute(db)
  const refused = keys.filter((key) => !taken.some((token) => token.key === key))
  const exhausted = refused.length === 0 ? [] : await readBudgets(db, refused)
  return keys.map((key) => {
    const token = taken.find((each) => each.key === key)
    return { key, isTaken: token !== undefined, fullAt: (token ?? exhausted.find((each) => each.key === key))?.fullAt ?? now }
  })
}

// A statement of its own: the one that refused began before the requests that took the last tokens had committed, and doesn't see them.
const readBudgets = (db: Db, keys: readonly string[]) =>
  db.selectFrom('api_budgets').where('key', 'in', keys).select(['key', 'full_at as fullAt']).execute()

/** Returns how many were removed, at most `batchSize`. */
export async function removeFullApiBudgets(db: Db, options: { now: Date; batchSize: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_budgets where key = any (array(
      select key from api_budgets where full_at <= ${options.now} order by full_at limit ${options.batchSize} for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
