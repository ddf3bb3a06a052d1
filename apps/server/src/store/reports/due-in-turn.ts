import { sql } from 'kysely'
import { storeNow } from '../store-now.ts'

/** How work is shared between organizations. */
export interface TurnOptions {
  count: number
  /** How many this worker holds of each organization. Organizations with none may be left out. */
  heldByOrganization?: ReadonlyMap<string, number>
  /** This worker holds no more than this of one organization. */
  perOrganizationMax?: number
}

/**
 * The common table expression `due`, with the ids of due rows to claim, locked. Organizations take turns: the one of which this worker
 * holds the fewest comes first, then the one that has waited longest, so a report to thousands does not delay those of others. Within
 * an organization, the longest waiting comes first. It follows `with recursive`.
 *
 * The cost grows with the number of organizations that have due or leased rows, by one step in the index each. It does not grow with the
 * number of rows. A row that another worker is claiming is skipped.
 */
export function dueInTurn(table: 'report_jobs' | 'report_deliveries', options: TurnOptions) {
  const rows = sql.table(table)
  const { count, heldByOrganization = new Map<string, number>(), perOrganizationMax = count + Math.max(0, ...heldByOrganization.values()) } = options
  return sql`
    oldest as (
      (select organization_id, next_attempt_at from ${rows} where state = 'due' order by organization_id, next_attempt_at limit 1)
      union all
      select following.* from oldest cross join lateral (
        select organization_id, next_attempt_at from ${rows}
        where state = 'due' and organization_id > oldest.organization_id
        order by organization_id, next_attempt_at limit 1) as following),
    turns as (
      select oldest.organization_id, place
      from oldest
      left join unnest(${[...heldByOrganization.keys()]}::text[], ${[...heldByOrganization.values()]}::integer[])
        as held (organization_id, held_count) using (organization_id)
      cross join generate_series(0, ${count}::integer - 1) as place
      where oldest.next_attempt_at <= ${storeNow} and coalesce(held_count, 0) + place < ${perOrganizationMax}::integer
      order by coalesce(held_count, 0) + place, oldest.next_attempt_at, oldest.organization_id),
    locked as materialized (
      select row.id
      from turns cross join lateral (
        select id from ${rows}
        where state = 'due' and organization_id = turns.organization_id and next_attempt_at <= ${storeNow}
        order by next_attempt_at, id
        offset turns.place limit 1
        for update skip locked) as row
      limit ${count}),
    due as (select distinct id from locked)`
}
