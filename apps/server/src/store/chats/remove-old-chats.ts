import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { walkBatch } from '../sweep-walk.ts'
import { removeChats } from './remove-chats.ts'

const chatsAtOnce = 500
const messagesAtOnce = 2000

/**
 * Removes chats unchanged since `unchangedSince`, with their messages and agent runs. A chat is kept while one of its runs is
 * unfinished, is among the newest `keptRuns` of an automation, or has observations that an automation will compare its next result
 * with.
 */
export function removeOldChats(
  db: Db,
  options: { unchangedSince: Date; keptRuns: number; now: Date },
): Promise<{ rows: number; hasMore: boolean }> {
  return walkBatch(db, { kind: 'old chats', now: options.now }, async (tx, afterId) => {
    const { rows: walked } = await sql<{ id: string; isOld: boolean }>`
      select id, updated_at < ${options.unchangedSince} and deleted_at is null as "isOld" from chats
      ${afterId === null ? sql`` : sql`where id > ${afterId}`}
      order by id
      limit ${chatsAtOnce}`.execute(tx)
    const old = walked.filter(({ isOld }) => isOld).map(({ id }) => id)
    const found = old.length > 0 ? await lockOldChats(tx, { ...options, ids: old }) : []
    const removed = upToMessages(found, messagesAtOnce)
    if (removed.length > 0) await removeChats(tx, removed)
    const isCut = removed.length < found.length
    return { rows: removed.length, nextAfterId: isCut ? removed.at(-1)! : walked.length < chatsAtOnce ? null : walked.at(-1)!.id }
  })
}

/** Ordered by id. A chat that is being written to is skipped. */
async function lockOldChats(
  tx: Tx,
  options: { ids: string[]; unchangedSince: Date; keptRuns: number },
): Promise<{ id: string; messageCount: number }[]> {
  const { rows } = await sql<{ id: string; messageCount: number }>`
    select chat.id, chat.message_count as "messageCount"
    from chats as chat
    where chat.id = any(${options.ids}::text[]) and chat.updated_at < ${options.unchangedSince} and chat.deleted_at is null
      and not exists (
        select from agent_runs as run
        where run.chat_id = chat.id and (
          run.status in ('pending', 'running')
          or exists (
            select from automations as automation
            where automation.id = run.automation_id and automation.deleted_at is null
              and (
                exists (select from automation_observations where agent_run_id = run.id)
                or (
                  select count(*) from (
                    select from agent_runs as newer
                    where newer.automation_id = run.automation_id
                      and (newer.requested_at, newer.id) > (run.requested_at, run.id)
                    limit ${options.keptRuns}) as newer) < ${options.keptRuns}))))
    order by chat.id
    for update of chat skip locked`.execute(tx)
  return rows
}

/** The first chats up to the total number of messages, but at least one. */
function upToMessages(chats: { id: string; messageCount: number }[], maxMessages: number): string[] {
  let messages = 0
  const fitting = chats.filter(({ messageCount }, index) => {
    messages += messageCount
    return index === 0 || messages <= maxMessages
  })
  return fitting.map(({ id }) => id)
}
