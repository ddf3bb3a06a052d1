import { sql } from 'kysely'
import type { MessageContent } from '../../model/chat.ts'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storableJson } from './storable-json.ts'
import { wakes } from '../wakeups.ts'

/** Replaces the content of a message of this agent run. False if the run has no such message. */
export async function changeMessage(
  tx: Tx,
  message: { chatId: string; agentRunId: string; number: number; content: MessageContent; now: Date },
): Promise<boolean> {
  const { rows } = await sql`${prepared} ${wakes('chats')}
    with chat as (
      update chats set revision = revision + 1, updated_at = ${message.now} where id = ${message.chatId}
      returning id, revision)
    update chat_messages set kind = ${message.content.kind}, content = ${storableJson(message.content)}::jsonb,
      revision = chat.revision
    from chat
    where chat_id = chat.id and number = ${message.number} and agent_run_id = ${message.agentRunId}
    returning number`.execute(tx)
  return rows.length === 1
}
