import type { AgentRun } from '../../model/agent-run.ts'
import { currentTraceparent } from '../../ports/telemetry/spans.ts'
import type { Tx } from '../db.ts'
import { wakes } from '../wakeups.ts'

export type NewAgentRun = Pick<
  AgentRun,
  | 'id'
  | 'organizationId'
  | 'automationId'
  | 'chatId'
  | 'agent'
  | 'trigger'
  | 'triggerId'
  | 'instructions'
  | 'requestedAt'
  | 'dueAt'
  | 'missedCount'
> & { userId: string }

/** Inserts a pending run. The store rejects a second one for an automation or chat, so the caller must hold the lock. */
export async function insertAgentRun(tx: Tx, run: NewAgentRun): Promise<void> {
  await tx
    .insertInto('agent_runs')
    .values({
      id: run.id,
      organization_id: run.organizationId,
      automation_id: run.automationId,
      chat_id: run.chatId,
      agent: run.agent,
      status: 'pending',
      trigger: run.trigger,
      trigger_id: run.triggerId,
      user_id: run.userId,
      instructions: run.instructions,
      requested_at: run.requestedAt,
      due_at: run.dueAt,
      missed_count: run.missedCount,
      traceparent: currentTraceparent(),
    })
    .modifyEnd(wakes('agent_runs'))
    .execute()
}
