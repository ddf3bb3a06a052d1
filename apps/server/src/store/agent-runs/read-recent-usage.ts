import { sql } from 'kysely'
import type { ModelUsage } from '../../model/agent-run.ts'
import type { Db } from '../db.ts'

/** What the last completed runs of an automation have used. */
export async function readUsageOfAutomation(
  db: Db,
  { organizationId, automationId, count }: { organizationId: string; automationId: string; count: number },
): Promise<ModelUsage[]> {
  const { rows } = await sql<{ usage: ModelUsage }>`
    select usage from agent_runs
    where automation_id = ${automationId} and organization_id = ${organizationId} and status = 'completed' and usage is not null
    order by requested_at desc, id desc limit ${count}`.execute(db)
  return rows.map(({ usage }) => usage)
}

/** The same for all automations of the organization that use the model: the last few runs of each, newest first. */
export async function readUsageOfAutomations(
  db: Db,
  { organizationId, count }: { organizationId: string; count: number },
): Promise<ModelUsage[]> {
  const { rows } = await sql<{ usage: ModelUsage }>`
    select run.usage from automations
    cross join lateral (
      select usage, status, requested_at, id from agent_runs
      where automation_id = automations.id order by requested_at desc, id desc limit 5) as run
    where automations.organization_id = ${organizationId} and automations.agent = 'model'
      and run.status = 'completed' and run.usage is not null
    order by run.requested_at desc, run.id desc limit ${count}`.execute(db)
  return rows.map(({ usage }) => usage)
}
