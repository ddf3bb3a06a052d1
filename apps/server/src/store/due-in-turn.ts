import { sql } from 'kysely'
import { storeNow } from './store-now.ts'

/** How work is shared between organizations. */
export interface TurnOptions {
  count: number
  /** How many this worker holds of each organization. Organizations with none may be left out. */
  heldByOrganization?: ReadonlyMap<string, number>
  /** Those that this worker has served lately come after others of which it holds as many. */
  servedOrganizations?: readonly string[]
  /** This worker holds no more than this of one organization. */
  perOrganizationMax?: number
}

const job = { id: 'id', dueAt: 'next_attempt_at', isWaiting: sql`state = 'due'` }

/** The tables in which work waits. Each has an index over the organization, `dueAt` and `id` of the rows that are waiting. */
const queues = {
  report_jobs: job,
  report_deliveries: job,
  history_fills: job,
  archive_jobs: { ...job, id: 'run_id' },
  slack_questions: { ...job, isWaiting: sql`state in ('due', 'waiting')` },
  change_feeds: { ...job, id: 'reference_id', isWaiting: sql`next_attempt_at is not null` },
  notifications: { id: 'id', dueAt: 'email_next_attempt_at', isWaiting: sql`email_state = 'due'` },
}

export type QueueName = keyof typeof queues
export const queueNames = Object.keys(queues) as QueueName[]

/**
 * The common table expression `due`, with the ids of due rows to claim, locked. Organizations take turns: the one of which this worker
 * holds the fewest comes first, then one that it has not served lately, then the one that has waited longest, so a report to thousands does not delay those of others. Within
 * an organization, the longest waiting comes first. It follows `with recursive`.
 *
 * The cost grows with the number of organizations that have due or leased rows, by one step in the index each. It does not grow with the
 * number of rows. A row that another worker is claiming is skipped.
 */
export function dueInTurn(table: QueueName, options: TurnOptions) {
  const { isWaiting } = queues[table]
  const [rows, id, dueAt] = [sql.table(table), sql.ref(queues[table].id), sql.ref(queues[table].dueAt)]
  const { count, heldByOrganization = new Map<string, number>(), perOrganizationMax = count + Math.max(0, ...heldByOrganization.values()), servedOrganizations = [] } = options
  return sql`
    oldest as (
      (select organization_id, ${dueAt} as due_at from ${rows} where ${isWaiting} order by organization_id, ${dueAt} limit 1)
      union all
      select following.* from oldest cross join lateral (
        select organization_id, ${dueAt} from ${rows}
        where ${isWaiting} and organization_id > oldest.organization_id
        order by organization_id, ${dueAt} limit 1) as following),
    turns as (
      select oldest.organization_id, place
      from oldest
      left join unnest(${[...heldByOrganization.keys()]}::text[], ${[...heldByOrganization.values()]}::integer[])
        as held (organization_id, held_count) using (organization_id)
      cross join generate_series(0, ${count}::integer - 1) as place
      where oldest.due_at <= ${storeNow} and coalesce(held_count, 0) + place < ${perOrganizationMax}::integer
      order by coalesce(held_count, 0) + place, oldest.organization_id = any(${[...servedOrganizations]}::text[]), oldest.due_at, oldest.organization_id),
    locked as materialized (
      select row.id
      from turns cross join lateral (
        select ${id} as id from ${rows}
        where ${isWaiting} and organization_id = turns.organization_id and ${dueAt} <= ${storeNow}
        order by ${dueAt}, ${id}
        offset turns.place limit 1
        for update skip locked) as row
      limit ${count}),
    due as materialized (select distinct id from locked)`
}
