import { sql } from 'kysely'
import type { Message } from '../../model/chat.ts'
import type { Db, Tx } from '../db.ts'

/** Messages in order. With `afterRevision`, only those added or changed since; with `ranges`, only those with `from <= number < to`. */
export async function readMessages(
  db: Db | Tx,
  options: { chatId: string; afterRevision?: number; ranges?: readonly { from: number; to: number }[] },
): Promise<Message[]> {
  const { afterRevision, ranges } = options
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
    .$if(ranges !== undefined, (messages) =>
      messages
        .innerJoin(
          sql<{ from: number; to: number }>`(
            select * from unnest(${ranges!.map(({ from }) => from)}::integer[], ${ranges!.map(({ to }) => to)}::integer[]))`.as<'range'>(
            sql`range ("from", "to")`,
          ),
          (join) => join.onTrue(),
        )
        .whereRef('message.number', '>=', 'range.from')
        .whereRef('message.number', '<', 'range.to'),
    )
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
