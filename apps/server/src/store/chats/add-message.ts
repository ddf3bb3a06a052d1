import { sql } from 'kysely'
import type { MessageContent } from '../../model/chat.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storableJson } from './storable-json.ts'
import { wakes } from '../wakeups.ts'

export interface NewMessage {
  chatId: string
  agentRunId: string | null
  userId: string | null
  content: MessageContent
  now: Date
}

/**
 * Appends a message to its chat and returns its number. The statement first updates the chat's row, which serializes concurrent
 * writers and counts the messages, so that each gets its own number.
 */
export async function addMessage(db: Db | Tx, message: NewMessage): Promise<number> {
  const { rows } = await sql<{ number: number }>`${prepared} ${wakes('chats')}
    with chat as (
      update chats set revision = revision + 1, message_count = message_count + 1, updated_at = ${message.now}
      where id = ${message.chatId}
      returning id, revision, message_count)
    insert into chat_messages (chat_id, number, agent_run_id, user_id, kind, content, revision, created_at)
    select chat.id, chat.message_count, ${message.agentRunId}, ${message.userId}, ${message.content.kind},
      ${storableJson(message.content)}::jsonb, chat.revision, ${message.now}
    from chat
    returning number`.execute(db)
  if (!rows[0]) throw new Error(`There is no chat ${message.chatId}.`)
  return rows[0].number
}
