import { sql } from 'kysely'
import type { AgentRun } from '../../model/agent-run.ts'
import type { Db, Tx } from '../db.ts'

export async function findAgentRun(
  db: Db | Tx,
  key: { organizationId: string; agentRunId: string },
): Promise<AgentRun | undefined> {
  return agentRuns(db)
    .where('agent_runs.id', '=', key.agentRunId)
    .where('agent_runs.organization_id', '=', key.organizationId)
    .executeTakeFirst()
}

/** Newest first. With `before`, only runs requested before that one. */
export async function listAgentRunsOf(
  db: Db,
  key: { organizationId: string; automationId: string; count: number; before?: string },
): Promise<AgentRun[]> {
  const { before } = key
  return agentRuns(db)
    .where('agent_runs.organization_id', '=', key.organizationId)
    .where('agent_runs.automation_id', '=', key.automationId)
    .$if(before !== undefined, (runs) =>
      runs.where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('agent_runs.requested_at', 'agent_runs.id'),
          '<',
          selectFrom('agent_runs as last')
            .select(['last.requested_at', 'last.id'])
            .where('last.id', '=', before!)
            .where('last.automation_id', '=', key.automationId)
            .$asTuple('requested_at', 'id'),
        ),
      ),
    )
    .orderBy('agent_runs.requested_at', 'desc')
    .orderBy('agent_runs.id', 'desc')
    .limit(key.count)
    .execute()
}

/** Each chat's unfinished run, or else the one that ended last, by chat id. Reads one run per chat, however many questions it has. */
export async function readLatestRuns(db: Db | Tx, chatIds: string[]): Promise<Map<string, AgentRun>> {
  if (chatIds.length === 0) return new Map()
  const runs = await agentRuns(db)
    .where(
      'agent_runs.id',
      'in',
      sql<string>`(
        select latest.id
        from unnest(${chatIds}::text[]) as wanted (chat_id)
          cross join lateral (
            select run.id from agent_runs as run
            where run.chat_id = wanted.chat_id
            order by run.ended_at desc nulls first, run.requested_at desc, run.id desc
            limit 1) as latest)`,
    )
    .execute()
  return new Map(runs.map((run) => [run.chatId, run]))
}

const agentRuns = (db: Db | Tx) =>
  db
    .selectFrom('agent_runs')
    .innerJoin('chats', 'chats.id', 'agent_runs.chat_id')
    .leftJoin('automations', 'automations.id', 'agent_runs.automation_id')
    .select([
      'agent_runs.id',
      'agent_runs.organization_id as organizationId',
      'agent_runs.automation_id as automationId',
      'automations.name as automationName',
      'agent_runs.chat_id as chatId',
      'chats.short_id as chatShortId',
      'agent_runs.agent',
      'agent_runs.status',
      'agent_runs.trigger',
      'agent_runs.trigger_id as triggerId',
      'agent_runs.instructions',
      'agent_runs.requested_at as requestedAt',
      'agent_runs.due_at as dueAt',
      'agent_runs.missed_count as missedCount',
      'agent_runs.started_at as startedAt',
      'agent_runs.ended_at as endedAt',
      'agent_runs.summary',
      'agent_runs.failure_reason as failureReason',
      sql<boolean>`agent_runs.status = 'failed' and agent_runs.stop_requested_by is not null`.as('isStopped'),
      'agent_runs.event_id as eventId',
      'agent_runs.usage',
    ])

/** The id of the automation's completed run that was requested last. */
export async function findLatestCompletedRun(
  db: Db,
  key: { organizationId: string; automationId: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('agent_runs')
    .select('id')
    .where('organization_id', '=', key.organizationId)
    .where('automation_id', '=', key.automationId)
    .where('status', '=', 'completed')
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
