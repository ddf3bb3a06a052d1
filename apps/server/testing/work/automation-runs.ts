import type { Db } from '../../src/store/db.ts'
import type { TestService } from '../test-service.ts'

/** Helpers for tests of due times and conditions. */

/** The texts in a run's chat, in order. */
export async function textsOf({ services: { db } }: TestService, runId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('chat_messages')
    .select('content')
    .where('agent_run_id', '=', runId)
    .orderBy('number')
    .execute()
  return rows.map(({ content }) => ('text' in content ? content.text : content.kind))
}

/** Completes all unfinished runs of the automation, as its agent would. */
export async function endRunsOf(db: Db, automationId: string, now: Date): Promise<void> {
  await db
    .updateTable('agent_runs')
    .set({ status: 'completed', ended_at: now, summary: 'Done.', lease_owner: null, lease_expires_at: null })
    .where('automation_id', '=', automationId)
    .where('status', 'in', ['pending', 'running'])
    .execute()
}

export const neverStops = { isStopping: () => false }
