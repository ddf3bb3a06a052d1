import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { wakes } from '../wakeups.ts'

/**
 * Marks unfinished steps of this agent run as failed, because nothing will finish them any more. Without such steps, the chat is left
 * unchanged.
 */
export async function closeOpenSteps(
  tx: Tx,
  options: { chatId: string; agentRunId: string; reason: string; now: Date },
): Promise<void> {
  await sql`${prepared} ${wakes('chats')}
    with step as (
      select number, kind from chat_messages
      where chat_id = ${options.chatId} and agent_run_id = ${options.agentRunId}
        and kind in ('query_run', 'tool_call') and content ->> 'status' in ('pending', 'running')),
    chat as (
      update chats set revision = revision + 1, updated_at = ${options.now}
      where id = ${options.chatId} and exists (select from step)
      returning id, revision)
    update chat_messages as message
    set revision = chat.revision,
      content = message.content || jsonb_build_object(
        'status', 'failed',
        case step.kind when 'query_run' then 'failureReason' else 'output' end, ${options.reason}::text)
    from chat, step
    where message.chat_id = chat.id and message.number = step.number`.execute(tx)
}
