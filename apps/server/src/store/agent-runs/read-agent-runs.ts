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

/** Each chat's unfinished run, or else the one that ended last, by chat id. */
export async function readLatestRuns(db: Db | Tx, chatIds: string[]): Promise<Map<string, AgentRun>> {
  if (chatIds.length === 0) return new Map()
  const runs = await agentRuns(db)
    .distinctOn('agent_runs.chat_id')
    .where('agent_runs.chat_id', 'in', chatIds)
    .orderBy('agent_runs.chat_id')
    .orderBy('agent_runs.ended_at', (order) => order.desc().nullsFirst())
    .orderBy('agent_runs.requested_at', 'desc')
    .orderBy('agent_runs.id', 'desc')
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
      'agent_runs.event_id as eventId',
      'agent_runs.usage',
    ])
