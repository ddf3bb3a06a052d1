import { sql } from 'kysely'
import type { MessageContent } from '../../model/chat.ts'
import { currentTraceparent } from '../../ports/telemetry/spans.ts'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import type { NewAgentRun } from './insert-agent-run.ts'
import { wakes } from '../wakeups.ts'

/** A new pending run of an automation, with the chat opened for it and that chat's initial messages. */
export interface NewAutomationRun extends Omit<NewAgentRun, 'requestedAt'> {
  chat: { shortId: string; title: string }
  messages: MessageContent[]
}

/**
 * Inserts any number of runs in one statement: a thousand automations may be due in the same minute, and the embedded store can do
 * nothing else while they are written. Row by row it took ten times as long.
 */
export async function insertAutomationRuns(tx: Tx, options: { runs: NewAutomationRun[]; now: Date }): Promise<void> {
  const { runs, now } = options
  await sql`${prepared} ${wakes('agent_runs')}
    with given as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(runs)}::jsonb) as run (
        id text, "organizationId" text, "automationId" text, "chatId" text, chat jsonb, agent text, trigger text,
        "triggerId" text, "userId" text, instructions text, "dueAt" timestamptz, "missedCount" integer, messages jsonb)),
    opened as (
      insert into chats
        (id, organization_id, short_id, title, revision, message_count, created_at, updated_at, state_changed_at)
      select "chatId", "organizationId", chat ->> 'shortId', chat ->> 'title', jsonb_array_length(messages),
        jsonb_array_length(messages), ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from given),
    requested as (
      insert into agent_runs (id, organization_id, automation_id, chat_id, agent, status, trigger, trigger_id, user_id,
        instructions, requested_at, due_at, missed_count, traceparent)
      select id, "organizationId", "automationId", "chatId", agent, 'pending', trigger, "triggerId", "userId",
        instructions, ${now}::timestamptz, "dueAt", "missedCount", ${currentTraceparent()}::text
      from given)
    insert into chat_messages (chat_id, number, agent_run_id, user_id, kind, content, revision, created_at)
    select given."chatId", message.number, given.id, null, message.content ->> 'kind', message.content, message.number,
      ${now}::timestamptz
    from given cross join lateral jsonb_array_elements(given.messages) with ordinality as message (content, number)`.execute(tx)
}
