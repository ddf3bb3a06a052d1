import { sql } from 'kysely'
import type { Db } from './db.ts'

const kinds = ['runs', 'agent_runs', 'deliveries', 'reports', 'slack_questions', 'change_feeds'] as const

/** How many seconds the longest-waiting work has been due, by kind; 0 if none is waiting. */
export type OldestWaiting = Record<(typeof kinds)[number], number>

/**
 * Shows whether workers are running and keeping up. Each value reads the first entry of an index (for deliveries, one entry per
 * endpoint), however much work is waiting.
 */
export async function readOldestWaiting(db: Db, options: { now: Date }): Promise<OldestWaiting> {
  const { rows } = await sql<Record<keyof OldestWaiting, Date | null>>`
    select
      (select run_at from runs
       where status = 'pending' and not exists (select from run_inputs where run_id = runs.id and status = 'waiting')
       order by run_at, id limit 1) as runs,
      (select requested_at from agent_runs where status = 'pending' order by requested_at, id limit 1) as agent_runs,
      (select nullif(min(next_attempt_at), 'infinity')
       from webhook_endpoints as endpoint cross join lateral (
         select next_attempt_at from webhook_deliveries
         where endpoint_id = endpoint.id and state = 'pending' order by next_attempt_at limit 1) as earliest
       where endpoint.deleted_at is null and endpoint.state = 'enabled') as deliveries,
      least(
        (select min(next_attempt_at) from report_jobs where state = 'due'),
        (select min(next_attempt_at) from report_deliveries where state = 'due')) as reports,
      (select min(next_attempt_at) from slack_questions where state in ('due', 'waiting')) as slack_questions,
      (select min(next_attempt_at) from change_feeds where next_attempt_at is not null) as change_feeds`.execute(db)
  const seconds = (since: Date | null) => (since ? Math.max(0, options.now.getTime() - since.getTime()) / 1000 : 0)
  return Object.fromEntries(kinds.map((kind) => [kind, seconds(rows[0]![kind])])) as OldestWaiting
}
