import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'

/**
 * The automations among these that exist and have no pending or running run. They stay locked until the transaction ends, so that
 * of two concurrent requests for a run only one succeeds.
 */
export async function lockIdleAutomations(tx: Tx, automationIds: string[]): Promise<Set<string>> {
  const locked = await sql<{ id: string }>`${prepared}
    select id from automations where id = any(${automationIds}::text[]) and deleted_at is null
    order by id
    for update`.execute(tx)
  const idle = new Set(locked.rows.map(({ id }) => id))
  // A separate statement, because it must see what the previous holder of the locks has committed.
  const busy = await sql<{ id: string }>`${prepared}
    select asked.id
    from unnest(${automationIds}::text[]) as asked (id)
    where (
      select agent_runs.id from agent_runs
      where agent_runs.automation_id = asked.id and agent_runs.status in ('pending', 'running')
      limit 1) is not null`.execute(tx)
  for (const { id } of busy.rows) idle.delete(id)
  return idle
}
