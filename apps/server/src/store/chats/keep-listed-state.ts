import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'

/**
 * Keeps what the published list shows of a chat, because all pages of the list show the moment of the first. Call it before a change that
 * the list shows (a new title, an agent that starts or ends, a deletion), in a transaction that has locked the chat and goes on to
 * increase its revision: revisions then order the former states.
 */
export async function keepListedState(tx: Tx, options: { chatId: string; now: Date }): Promise<void> {
  await sql`${prepared}
    with former as (
      insert into chat_history (chat_id, revision, title, is_answering, updated_at, replaced_at)
      select id, revision, title,
        exists (select from agent_runs where chat_id = chats.id and status in ('pending', 'running')),
        coalesce(state_changed_at, updated_at), ${options.now}
      from chats where id = ${options.chatId})
    update chats set state_changed_at = ${options.now} where id = ${options.chatId}`.execute(tx)
}
