import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { wakes } from '../wakeups.ts'

/** Renames a chat that this transaction has locked, and keeps its former state for the published list. */
export async function renameChat(tx: Tx, change: { chatId: string; title: string; now: Date }): Promise<void> {
  await sql`${wakes('chats')}
    with kept as (
      insert into chat_history (chat_id, revision, title, is_answering, updated_at, replaced_at)
      select id, revision + 1, title,
        exists (select from agent_runs where chat_id = chats.id and status in ('pending', 'running')),
        coalesce(state_changed_at, updated_at), ${change.now}
      from chats where id = ${change.chatId})
    update chats
    set title = ${change.title}, revision = revision + 1, updated_at = ${change.now}, state_changed_at = ${change.now}
    where id = ${change.chatId}`.execute(tx)
}
