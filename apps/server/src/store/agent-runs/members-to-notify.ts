import { sql } from 'kysely'
import type { Tx } from '../db.ts'

/**
 * How the automation's previous run ended; null if there was none. Runs stopped by a person say nothing about the automation, so they
 * are skipped unless `withStopped` is set.
 */
export async function findPreviousOutcome(
  tx: Tx,
  options: { automationId: string; runId: string; withStopped: boolean },
): Promise<'completed' | 'failed' | null> {
  const { rows } = await sql<{ status: 'completed' | 'failed' }>`
    select status from agent_runs
    where automation_id = ${options.automationId} and id <> ${options.runId} and ended_at is not null
      and (${options.withStopped} or stop_requested_by is null)
    order by requested_at desc, id desc
    limit 1`.execute(tx)
  return rows[0]?.status ?? null
}

/** The current members of the organization among these users and the owners of these keys, without duplicates. */
export async function findMembersToNotify(
  tx: Tx,
  options: { organizationId: string; userOrKeyIds: string[] },
): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from memberships
    where organization_id = ${options.organizationId}
      and (user_id = any (${options.userOrKeyIds}::text[])
        or user_id in (
          select user_id from api_keys
          where organization_id = ${options.organizationId} and id = any (${options.userOrKeyIds}::text[])))
    order by user_id`.execute(tx)
  return rows.map(({ userId }) => userId)
}
