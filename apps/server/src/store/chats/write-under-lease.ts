import { type RawBuilder, sql } from 'kysely'
import type { MessageContent } from '../../model/chat.ts'
import type { AgentRunLease } from '../../model/agent-run.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storableJson } from './storable-json.ts'
import { wakes } from '../wakeups.ts'

/**
 * Checks an agent's lease and writes to its chat in one statement. The lock on the run waits for a transaction that is taking the
 * lease away and then checks again, so nothing is written after the lease is lost. The run is locked before the chat, here as
 * everywhere.
 */
const held = (lease: AgentRunLease): RawBuilder<unknown> => sql`
  select chat_id from agent_runs
  where id = ${lease.runId} and status = 'running' and lease_owner = ${lease.workerId}
    and lease_number = ${lease.leaseNumber}
  for share`

/** The new message's number; undefined if the lease is lost. */
export async function addMessageUnderLease(
  db: Db,
  write: { lease: AgentRunLease; content: MessageContent; now: Date },
): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`${prepared} ${wakes('chats')}
    with held as (${held(write.lease)}),
    chat as (
      update chats set revision = revision + 1, message_count = message_count + 1, updated_at = ${write.now}
      from held where chats.id = held.chat_id
      returning chats.id, revision, message_count)
    insert into chat_messages (chat_id, number, agent_run_id, kind, content, revision, created_at)
    select chat.id, chat.message_count, ${write.lease.runId}, ${write.content.kind},
      ${storableJson(write.content)}::jsonb, chat.revision, ${write.now}
    from chat
    returning number`.execute(db)
  return rows[0]?.number
}

export async function changeMessageUnderLease(
  db: Db,
  write: { lease: AgentRunLease; number: number; content: MessageContent; now: Date },
): Promise<'changed' | 'lease_lost' | 'no_such_message'> {
  const { rows } = await sql<{ isHeld: boolean; isChanged: boolean }>`${prepared} ${wakes('chats')}
    with held as (${held(write.lease)}),
    chat as (
      update chats set revision = revision + 1, updated_at = ${write.now}
      from held where chats.id = held.chat_id
      returning chats.id, revision),
    changed as (
      update chat_messages set kind = ${write.content.kind}, content = ${storableJson(write.content)}::jsonb,
        revision = chat.revision
      from chat
      where chat_id = chat.id and number = ${write.number} and agent_run_id = ${write.lease.runId}
      returning number)
    select exists (select from held) as "isHeld", exists (select from changed) as "isChanged"`.execute(db)
  if (!rows[0]!.isHeld) return 'lease_lost'
  return rows[0]!.isChanged ? 'changed' : 'no_such_message'
}
