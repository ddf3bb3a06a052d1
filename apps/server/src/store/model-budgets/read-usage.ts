import { sql } from 'kysely'
import type { DailyModelUse } from '../../model/model-budget.ts'
import type { Db } from '../db.ts'
import { joinPrice, usageCost } from './usage-cost.ts'

/** The use of a day: in all, of one person, for one cause, or of one model. The others of these are null. */
export interface UsageRow extends DailyModelUse {
  grouping: 'all' | 'person' | 'source' | 'model'
  userId: string | null
  userName: string | null
  /** An automation's id; `chats` or `evaluations` for all of them together. */
  source: string | null
  automationName: string | null
  model: string | null
}

/** Use from that day on, by day and in several groupings. With `userId`, only that person's. */
export async function readUsage(
  db: Db,
  options: { organizationId: string; from: string; userId?: string },
): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    with used as (
      select usage.day, usage.user_id, usage.model, usage.input_tokens, usage.output_tokens, usage.request_count,
        ${usageCost} as cost,
        case
          when usage.source_id like 'automation\\_%' then usage.source_id
          when usage.source_id like 'evaluation\\_%' then 'evaluations'
          else 'chats' end as source
      from model_usage as usage
      ${joinPrice}
      where usage.organization_id = ${options.organizationId} and usage.day >= ${options.from}::date
        ${options.userId === undefined ? sql`` : sql`and usage.user_id = ${options.userId}`}),
    summed as (
      select day, user_id, source, model, grouping(user_id, source, model) as grouped,
        sum(input_tokens)::bigint as "inputTokens", sum(output_tokens)::bigint as "outputTokens",
        sum(request_count)::bigint as "requestCount", sum(cost)::double precision as cost
      from used
      group by grouping sets ((day), (day, user_id), (day, source), (day, model)))
    select to_char(summed.day, 'YYYY-MM-DD') as day,
      case grouped when 7 then 'all' when 3 then 'person' when 5 then 'source' else 'model' end as grouping,
      user_id as "userId", users.name as "userName", source, automations.name as "automationName", model,
      "inputTokens", "outputTokens", "requestCount", cost
    from summed
    left join users on users.id = user_id
    left join automations on automations.id = source
    order by summed.day, user_id, source, model`.execute(db)
  return rows
}
