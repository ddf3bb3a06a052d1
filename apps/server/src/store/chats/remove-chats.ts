import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { wakes } from '../wakeups.ts'
import { keepListedState } from './keep-listed-state.ts'

/** Removes everything that belongs to these chats, except their rows and what the published list may still show. */
async function removeContent(tx: Tx, ids: string[]): Promise<void> {
  // Only observations of deleted automations are left here.
  await sql`
    delete from automation_observations
    where agent_run_id in (select id from agent_runs where chat_id = any(${ids}::text[]))`.execute(tx)
  await sql`delete from chat_feedback where chat_id = any(${ids}::text[])`.execute(tx)
  await sql`delete from chat_messages where chat_id = any(${ids}::text[])`.execute(tx)
  await sql`delete from agent_runs where chat_id = any(${ids}::text[])`.execute(tx)
}

/** Removes chats that this transaction has locked. */
export async function removeChats(tx: Tx, ids: string[]): Promise<void> {
  await removeContent(tx, ids)
  await sql`delete from chat_history where chat_id = any(${ids}::text[])`.execute(tx)
  await sql`delete from chats where id = any(${ids}::text[])`.execute(tx)
}

/**
 * Locks a chat with its agent runs, so that no worker writes to it. Runs are locked before their chat, as everywhere. `changed` if a
 * question has been asked between the two locks: call it again in a new transaction. Undefined if the chat has been deleted.
 */
export async function lockChatWithRuns(
  tx: Tx,
  chatId: string,
): Promise<{ title: string; isOfAutomation: boolean } | 'changed' | undefined> {
  const { rows: runs } = await sql<{ isOfAutomation: boolean }>`
    select exists (select from automations where id = automation_id and deleted_at is null) as "isOfAutomation"
    from agent_runs where chat_id = ${chatId} order by id for update`.execute(tx)
  const { rows } = await sql<{ title: string }>`
    select title from chats where id = ${chatId} and deleted_at is null for update`.execute(tx)
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::integer as count from agent_runs where chat_id = ${chatId}`.execute(tx)
  if (!rows[0]) return undefined
  if (counted[0]!.count !== runs.length) return 'changed'
  return { title: rows[0].title, isOfAutomation: runs.some(({ isOfAutomation }) => isOfAutomation) }
}

/**
 * Deletes a chat that this transaction has locked with its runs. Its row stays, without a title, while a page of the published list may
 * still show its former state. A worker that holds one of its runs finds the run gone, stops, and can write nothing more.
 */
export async function deleteChat(tx: Tx, options: { chatId: string; now: Date }): Promise<void> {
  const { chatId, now } = options
  await keepListedState(tx, options)
  await sql`${wakes('chats')}
    update chats set title = '', revision = revision + 1, updated_at = ${now}, deleted_at = ${now} where id = ${chatId}`.execute(tx)
  await removeContent(tx, [chatId])
}

/**
 * Removes former states, and rows of deleted chats, that no page can show any more, one batch per call. Returns the number of rows; call
 * again until it is 0.
 */
export async function pruneChatHistory(db: Db, options: { replacedBefore: Date; batchSize: number }): Promise<number> {
  const { replacedBefore, batchSize } = options
  const pruned = await sql`
    delete from chat_history where ctid in (
      select ctid from chat_history where replaced_at < ${replacedBefore} limit ${batchSize})`.execute(db)
  const removed = await sql`
    delete from chats where id in (
      select id from chats
      where deleted_at < ${replacedBefore} and not exists (select from chat_history where chat_id = chats.id)
      limit ${batchSize} for update skip locked)`.execute(db)
  return Number(pruned.numAffectedRows ?? 0n) + Number(removed.numAffectedRows ?? 0n)
}
