import type { Message } from '../../model/chat.ts'
import type { Db, Tx } from '../db.ts'

/** Messages in order. With `afterRevision`, only those added or changed since. */
export async function readMessages(
  db: Db | Tx,
  options: { chatId: string; afterRevision?: number },
): Promise<Message[]> {
  const { afterRevision } = options
  const rows = await db
    .selectFrom('chat_messages as message')
    .leftJoin('users', 'users.id', 'message.user_id')
    .select([
      'message.number',
      'message.agent_run_id as agentRunId',
      'message.user_id as userId',
      'users.name as userName',
      'message.created_at as createdAt',
      'message.revision',
      'message.content',
    ])
    .where('message.chat_id', '=', options.chatId)
    .$if(afterRevision !== undefined, (messages) => messages.where('message.revision', '>', afterRevision!))
    .orderBy('message.number')
    .execute()
  return rows.map(({ number, agentRunId, userId, userName, createdAt, revision, content }) => ({
    number,
    agentRunId,
    user: userId === null ? null : { id: userId, name: userName ?? userId },
    createdAt,
    revision,
    content,
  }))
}
