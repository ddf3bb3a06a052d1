import type { MessageContent, WrittenText } from '../../model/chat.ts'
import type { Db } from '../db.ts'

/** The summary that an automation's run ended with. Undefined if it has none. */
export async function findSummary(db: Db, key: { organizationId: string; agentRunId: string }): Promise<WrittenText | null | undefined> {
  const row = await db
    .selectFrom('chat_messages as message')
    .innerJoin('agent_runs as run', (join) =>
      join.onRef('run.id', '=', 'message.agent_run_id').onRef('run.chat_id', '=', 'message.chat_id'),
    )
    .select('message.content')
    .where('run.id', '=', key.agentRunId)
    .where('run.organization_id', '=', key.organizationId)
    .where('message.kind', '=', 'summary')
    .executeTakeFirst()
  return row && asWrittenText(row.content)
}

/** Undefined if there is no such message, null if it is not text that an agent wrote. */
export async function findWrittenText(
  db: Db,
  key: { organizationId: string; chatId: string; number: number },
): Promise<WrittenText | null | undefined> {
  const row = await db
    .selectFrom('chat_messages as message')
    .innerJoin('chats', 'chats.id', 'message.chat_id')
    .select('message.content')
    .where('message.chat_id', '=', key.chatId)
    .where('chats.organization_id', '=', key.organizationId)
    .where('message.number', '=', key.number)
    .executeTakeFirst()
  return row && asWrittenText(row.content)
}

function asWrittenText(content: MessageContent): WrittenText | null {
  return content.kind === 'text' || content.kind === 'summary' || content.kind === 'answer' ? content : null
}
