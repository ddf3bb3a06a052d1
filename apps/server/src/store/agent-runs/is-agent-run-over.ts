import type { Db } from '../db.ts'

export async function isAgentRunOver(db: Db, runId: string): Promise<boolean> {
  const row = await db
    .selectFrom('agent_runs')
    .select('id')
    .where('id', '=', runId)
    .where('status', 'in', ['completed', 'failed'])
    .executeTakeFirst()
  return row !== undefined
}
