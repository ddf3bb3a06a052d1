import { sql } from 'kysely'
import type { ModelLimit, SpentAmount } from '../../model/model-budget.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'
import { joinPrice, usageCost } from './usage-cost.ts'

export interface SpentBudget {
  /** The store's time. */
  now: Date
  currency: string | null
  limits: ModelLimit[]
  spent: SpentAmount[]
}

/** The organization's limits with what it and the person have used today and this month. Undefined if there are no limits. */
export async function readSpent(
  db: Db | Tx,
  key: { organizationId: string; userId: string },
): Promise<SpentBudget | undefined> {
  const { rows } = await sql<SpentBudget>`${prepared}
    with today as (select (${storeNow} at time zone 'UTC')::date as day),
    used as (
      select usage.day = today.day as is_today, usage.user_id = ${key.userId} as is_own,
        usage.input_tokens + usage.output_tokens as tokens, ${usageCost} as cost
      from today
      join model_usage as usage
        on usage.organization_id = ${key.organizationId} and usage.day between date_trunc('month', today.day)::date and today.day
      ${joinPrice})
    select ${storeNow} as now, budget.currency, budget.limits,
      (select jsonb_agg(jsonb_build_object(
          'scope', scope, 'period', period, 'tokens', coalesce(tokens, 0), 'money', coalesce(money, 0)))
       from (values ('organization', 'day'), ('organization', 'month'), ('person', 'day'), ('person', 'month'))
         as limited (scope, period)
       cross join lateral (
         select sum(tokens) as tokens, sum(cost) as money from used
         where (scope = 'organization' or is_own) and (period = 'month' or is_today)) as spent) as spent
    from model_budgets as budget
    where budget.organization_id = ${key.organizationId} and jsonb_array_length(budget.limits) > 0`.execute(db)
  return rows[0]
}
