import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'

/**
 * The published list shows every chat as of the first page, so a statement that changes what the list shows of a chat keeps the former
 * state: these common table expressions write it to the history, for the chat that an expression before them names `chat (id)`. The
 * transaction must have locked the chat and increased its revision, so that states are in order.
 */
export const replacedState = (change: { isAnswering: boolean; now: Date }): RawBuilder<unknown> => sql`
  kept as (
    insert into chat_history (chat_id, revision, title, is_answering, updated_at, replaced_at)
    select chats.id, revision, title, ${change.isAnswering}::boolean, coalesce(state_changed_at, updated_at), ${change.now}::timestamptz
    from chat join chats on chats.id = chat.id),
  changed as (
    update chats set state_changed_at = ${change.now}::timestamptz from chat where chats.id = chat.id)`

/** Keeps the state of an idle chat in which a question has been asked. */
export async function keepIdleState(tx: Tx, options: { chatId: string; now: Date }): Promise<void> {
  await sql`${prepared}
    with chat as (select ${options.chatId}::text as id),
    ${replacedState({ isAnswering: false, now: options.now })}
    select`.execute(tx)
}
